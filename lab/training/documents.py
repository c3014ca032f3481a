"""Trains the trees that tell what a paragraph of a document is. Prints a cross-validation by file.

Usage: documents.py PARTS.json [MODEL.json]. See README.md.
"""

import json
import sys
from collections import defaultdict

import numpy as np
import xgboost

PARTS_OF_FILES = 5
ROUNDS = 90
PARAMETERS = {
    "objective": "multi:softprob",
    "max_depth": 4,
    "eta": 0.1,
    "subsample": 0.8,
    "colsample_bytree": 0.4,
    "min_child_weight": 2,
    "lambda": 2,
    # The service adds up leaves only: no intercept by type.
    "base_score": 0.5,
    "nthread": 1,
    "seed": 1,
}


def series(file):
    """Files of one source document have numbers close to each other: they stay together."""
    name, _, number = file.rpartition("-")
    return f"{name}-{int(number) // 10}" if number.isdigit() else file


def weights_of(rows):
    """A file counts as the square root of its paragraphs."""
    counts = defaultdict(int)
    for row in rows:
        counts[row["file"]] += 1
    return np.array([counts[row["file"]] ** -0.5 for row in rows]) * 4


def train(x, y, weights, classes):
    return xgboost.train({**PARAMETERS, "num_class": classes}, xgboost.DMatrix(x, y, weight=weights), ROUNDS)


def cross_validate(rows, x, y, weights, types):
    groups = sorted({series(row["file"]) for row in rows})
    order = np.random.default_rng(7).permutation(len(groups))
    part_of = {groups[g]: at % PARTS_OF_FILES for at, g in enumerate(order)}
    parts = np.array([part_of[series(row["file"])] for row in rows])
    guesses = np.zeros(len(rows), dtype=int)
    for part in range(PARTS_OF_FILES):
        held = parts == part
        model = train(x[~held], y[~held], weights[~held], len(types))
        guesses[held] = model.predict(xgboost.DMatrix(x[held])).argmax(axis=1)
    for at, name in enumerate(types):
        hit = ((guesses == at) & (y == at)).sum()
        precision, recall = hit / max(1, (guesses == at).sum()), hit / max(1, (y == at).sum())
        print(f"{name:15} n {(y == at).sum():5} precision {precision:.3f} recall {recall:.3f}")
    return parts


def flatten(node, out):
    """Appends a tree in preorder: feature or -1, cut or value, place of the right child."""
    at = len(out)
    if "leaf" in node:
        out.append([-1, round(node["leaf"], 4), 0])
        return
    out.append([int(node["split"][1:]), node["split_condition"], 0])
    children = {child["nodeid"]: child for child in node["children"]}
    flatten(children[node["yes"]], out)
    out[at][2] = len(out)
    flatten(children[node["no"]], out)


def export(model, classes, path):
    trees = []
    for at, text in enumerate(model.get_dump(dump_format="json")):
        nodes = []
        flatten(json.loads(text), nodes)
        trees.append([at % classes] + [float(f"{value:.6g}") if isinstance(value, float) else value for node in nodes for value in node])
    lines = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in trees)
    note = json.dumps("Learned from re-typeset pages of DP-Bench (MIT) and documentation (MIT): see lab/training/README.md.")
    with open(path, "w") as file:
        file.write(f'{{"license":{note},"trees":[\n{lines}\n]}}\n')


def main():
    data = json.load(open(sys.argv[1]))
    rows, types = data["rows"], data["types"]
    x = np.array([row["features"] for row in rows], dtype=np.float32)
    y = np.array([types.index(row["label"]) for row in rows])
    weights = weights_of(rows)
    parts = cross_validate(rows, x, y, weights, types)
    if len(sys.argv) > 2:
        export(train(x, y, weights, len(types)), len(types), sys.argv[2])
    if len(sys.argv) > 3:
        for part in range(PARTS_OF_FILES):
            held = parts == part
            export(train(x[~held], y[~held], weights[~held], len(types)), len(types), f"{sys.argv[3]}/{part}.json")
        files = {row["file"]: int(part) for row, part in zip(rows, parts)}
        json.dump(files, open(f"{sys.argv[3]}/parts.json", "w"))


main()
