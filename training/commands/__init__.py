"""The commands of `tradewinds`, one module a group, each with a `register(app)` that app.py calls."""
