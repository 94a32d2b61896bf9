"""The command `tradewinds`: one module per command."""
