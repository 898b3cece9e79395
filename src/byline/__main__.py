"""``python -m byline`` is the command ``byline``."""

from byline.cli import main

if __name__ == "__main__":
    main()
