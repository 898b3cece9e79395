"""Tables and figures of Ge & Sun (2016), each a function of what a run has left on disk."""
