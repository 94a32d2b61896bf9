"""Training configs that come with Tradewinds."""
