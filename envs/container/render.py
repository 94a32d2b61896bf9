def text(view, seat):
    return str(view)


def svg(view, seat):
    return "<svg/>"
