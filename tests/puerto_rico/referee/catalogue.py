"""The buildings and the numbers of the rulebook, written down once more."""

GOODS = ["corn", "indigo", "sugar", "tobacco", "coffee"]
PRICE = dict(zip(GOODS, range(5), strict=True))
ROLES = ["settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector", "second prospector"]
COLONIST, NOBLE = "colonist", "noble"

# cost, victory points, column, slots; in the order in which colonists are placed
CATALOGUE = {
    "small indigo plant": (1, 1, 1, 1),
    "small sugar mill": (2, 1, 1, 1),
    "indigo plant": (3, 2, 2, 3),
    "sugar mill": (4, 2, 2, 3),
    "tobacco storage": (5, 3, 3, 3),
    "coffee roaster": (6, 3, 3, 2),
    "small market": (1, 1, 1, 1),
    "hacienda": (2, 1, 1, 1),
    "construction hut": (2, 1, 1, 1),
    "small warehouse": (3, 1, 1, 1),
    "hospice": (4, 2, 2, 1),
    "office": (5, 2, 2, 1),
    "large market": (5, 2, 2, 1),
    "large warehouse": (6, 2, 2, 1),
    "factory": (7, 3, 3, 1),
    "university": (8, 3, 3, 1),
    "harbour": (8, 3, 3, 1),
    "wharf": (9, 3, 3, 1),
    "guild hall": (10, 4, 4, 1),
    "residence": (10, 4, 4, 1),
    "fortress": (10, 4, 4, 1),
    "customs house": (10, 4, 4, 1),
    "city hall": (10, 4, 4, 1),
    "aqueduct": (1, 1, 1, 1),
    "forest house": (2, 1, 1, 1),
    "black market": (2, 1, 1, 1),
    "storehouse": (3, 1, 1, 1),
    "guest house": (4, 2, 2, 2),
    "trading post": (5, 2, 2, 1),
    "church": (5, 2, 2, 1),
    "small wharf": (6, 2, 2, 1),
    "lighthouse": (7, 3, 3, 1),
    "specialty factory": (8, 3, 3, 1),
    "library": (8, 3, 3, 1),
    "union hall": (9, 3, 3, 1),
    "statue": (10, 8, 4, 0),
    "cloister": (10, 4, 4, 1),
    "land office": (2, 1, 1, 1),
    "chapel": (3, 1, 1, 1),
    "hunting lodge": (4, 2, 2, 1),
    "zoning office": (5, 2, 2, 1),
    "royal supplier": (6, 2, 2, 1),
    "villa": (7, 3, 3, 1),
    "jeweller": (8, 3, 3, 1),
    "royal garden": (10, 4, 4, 1),
}
NAMES = list(CATALOGUE)
COST, POINTS, COLUMN, SLOTS = ({name: row[i] for name, row in CATALOGUE.items()} for i in range(4))
SMALL_PRODUCTION = ["small indigo plant", "small sugar mill"]
LARGE_PRODUCTION = ["indigo plant", "sugar mill", "tobacco storage", "coffee roaster", "jeweller"]
PLANTS = {
    "indigo": ("indigo plant", "small indigo plant"),
    "sugar": ("sugar mill", "small sugar mill"),
    "tobacco": ("tobacco storage",),
    "coffee": ("coffee roaster",),
}
LARGE = [name for name in NAMES if COLUMN[name] == 4]
SHIP_SIZES = {2: [4, 6], 3: [4, 5, 6], 4: [5, 6, 7], 5: [6, 7, 8]}
PROSPECTORS = {2: 1, 3: 0, 4: 1, 5: 2}
