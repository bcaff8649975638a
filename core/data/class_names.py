"""Names of the classes of the data sets that the program knows."""

DIGITS = tuple("0123456789")

CLOTHES = (
    "T-shirt",
    "Trousers",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
)
