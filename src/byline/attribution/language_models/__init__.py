"""One language model per candidate author: training, scoring and the attributor itself."""
