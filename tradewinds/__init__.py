"""Tradewinds: trading board games as reinforcement-learning environments.

>>> import tradewinds as tw
>>> env = tw.make("santiago_de_cuba", players=3)                   # a PettingZoo AEC environment
>>> batch = tw.make_batch("santiago_de_cuba", size=4096, seed=7)   # thousands of games, stepped in place
>>> bot = tw.make_agent("scripted", "santiago_de_cuba", players=3)
"""
