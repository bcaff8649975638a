"""Colors of the series in plots, on the screen and in pictures that the command line writes."""

# After the palette of Okabe and Ito (2008). Each has 4.5:1 on the background of its theme, and any
# two differ by at least 15 in CIELAB for people with and without one of the kinds of color
# blindness (tests/core/test_colors.py).
SERIES_ON_LIGHT = ("#0072b2", "#c04a00", "#005035", "#76005c", "#573f00", "#5539bd", "#656b6b")
SERIES_ON_DARK = ("#56b4e9", "#f0a13c", "#72ffc9", "#ba91aa", "#ffe48c", "#878eff", "#d6e1fa")

# Of values with a sign, wherever they are shown: the window, exported pages, reports and documents.
# The style `resources/page/page.css` repeats them for pages, which follow the reader's theme.
POSITIVE_ON_LIGHT, NEGATIVE_ON_LIGHT = SERIES_ON_LIGHT[:2]  # blue and orange
POSITIVE_ON_DARK, NEGATIVE_ON_DARK = SERIES_ON_DARK[:2]
