"""Text and picture of a game of Puerto Rico, as one seat sees it."""


def text(view, seat):
    return str(view)


def svg(view, seat):
    return "<svg/>"
