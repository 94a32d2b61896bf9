"""Web pages: the page files in `page/`, and replays as self-contained HTML files. A game's rules and words stay in `envs`."""
