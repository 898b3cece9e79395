"""Language models that are neural networks: feed-forward as in Ge & Sun (2016), and recurrent."""
