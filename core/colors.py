"""Colors of the series in plots, on the screen and in pictures that the command line writes."""

# The palette of Okabe and Ito (2008), which color-blind people can tell apart; darkened for a light background and
# lightened for a dark one until each has enough contrast.
SERIES_ON_LIGHT = ("#0072b2", "#c04a00", "#00795a", "#a3437d", "#7a6400", "#4d4fbf", "#5a6472")
SERIES_ON_DARK = ("#56b4e9", "#f0a13c", "#3fc79a", "#e291c1", "#e8d95a", "#a9a7ff", "#a8b0bd")

# Of values with a sign, wherever they are shown: the window, exported pages, reports and documents. The style
# `resources/page/page.css` repeats them for pages, which follow the reader's theme.
POSITIVE_ON_LIGHT, NEGATIVE_ON_LIGHT = SERIES_ON_LIGHT[:2]  # blue and orange
POSITIVE_ON_DARK, NEGATIVE_ON_DARK = SERIES_ON_DARK[:2]
