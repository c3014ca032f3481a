"""Trains the trees that tell the price of a page's product from its other prices, and prints cross-validation by site.

Reads prices.json as dump.ts writes it; with --model FILE packs trees of all pages into that file.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import xgboost as xgb

sys.path.insert(0, str(Path(__file__).parent.parent))
from export import pack_trees  # noqa: E402

FOLDS = 5
# The highest share of a page's score that counts as sure, in steps, for the table of cuts.
CUTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]


def load(folder):
    pages = json.loads((folder / "prices.json").read_text())
    pages = [page for page in pages if page["rows"]]
    rows = np.array([row for page in pages for row in page["rows"]], dtype=np.float32)
    labels = np.array([label for page in pages for label in page["labels"]], dtype=np.float32)
    index = np.array([at for at, page in enumerate(pages) for _ in page["rows"]])
    return pages, rows, labels, index


def weights(pages, index, labels, other):
    """Each page weighs the same; its right places weigh as much as its wrong ones."""
    weight = np.zeros(len(index))
    for at, page in enumerate(pages):
        mine = index == at
        right = mine & (labels == 1)
        wrong = mine & (labels == 0)
        if not page["isProduct"]:
            weight[wrong] = other / max(1, wrong.sum())
            continue
        weight[right] = 1 / max(1, right.sum())
        weight[wrong] = 2 / max(1, wrong.sum())
    return weight * 20


def train(rows, labels, weight, args, seed):
    parameters = {
        "objective": "binary:logistic",
        "max_depth": args.depth,
        "eta": args.eta,
        "min_child_weight": args.child,
        "colsample_bynode": args.colsample,
        "subsample": 0.8,
        "max_bin": 64,
        "tree_method": "hist",
        "nthread": 1,
        "seed": seed,
        "base_score": 0.5,
    }
    return xgb.train(parameters, xgb.DMatrix(rows, label=labels, weight=weight), args.rounds)


def report(pages, scores, labels, index):
    """How often the candidate with the highest score shows the right price; what a cut loses and lets in."""
    best = []
    for at, page in enumerate(pages):
        if not page["isLabelled"]:
            continue
        mine = np.flatnonzero(index == at)
        top = mine[scores[mine].argmax()]
        best.append((page, scores[top], labels[top], labels[mine].max()))
    shown = [b for b in best if b[0]["hasPrice"] and b[3] == 1]
    print(f"right among pages that show it: {np.mean([b[2] for b in shown]):.4f} of {len(shown)}")
    for cut in CUTS:
        right = np.mean([b[2] == 1 and b[1] >= cut for b in shown])
        without = [b[1] >= cut for b in best if b[0]["isProduct"] and not b[0]["hasPrice"]]
        other = [b[1] >= cut for b in best if not b[0]["isProduct"]]
        print(f"cut {cut}: right {right:.3f}, on products without price {np.mean(without):.2f}, on other pages {np.mean(other):.2f}")
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--eta", type=float, default=0.08)
    parser.add_argument("--child", type=float, default=1)
    parser.add_argument("--colsample", type=float, default=0.4)
    parser.add_argument("--other", type=float, default=1)
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    pages, rows, labels, index = load(args.folder)
    fold = np.array([page["fold"] for page in pages])[index]
    weight = weights(pages, index, labels, args.other)
    known = np.array([page["isLabelled"] and page["isTrained"] for page in pages])[index]
    scores = np.zeros(len(labels))
    for part in range(FOLDS):
        others = known & (fold != part)
        learned = train(rows[others], labels[others], weight[others], args, 1)
        scores[fold == part] = learned.predict(xgb.DMatrix(rows[fold == part]))
    best = report(pages, scores, labels, index)
    if args.misses:
        places = {page["id"]: at for at, page in enumerate(pages)}
        for page, score, label, possible in best:
            at = places[page["id"]]
            if page["hasPrice"] and label == 0:
                mine = np.flatnonzero(index == at)
                top = scores[mine].argmax()
                right = [page["texts"][i] for i in range(len(mine)) if page["labels"][i]]
                print(page["id"], f"{score:.2f}", repr(page["texts"][top]), "right:", right[:2], [f"{scores[mine[i]]:.2f}" for i in range(len(mine)) if page["labels"][i]][:2])
    (args.folder / "out-of-fold.json").write_text(
        json.dumps({page["id"]: [round(float(s), 4) for s in scores[index == at]] for at, page in enumerate(pages)})
    )
    if args.model:
        learned = train(rows[known], labels[known], weight[known], args, 1)
        trees = [json.loads(tree) for tree in learned.get_dump(dump_format="json")]
        model = {
            "license": "Learned from labelled product pages: see lab/training/product/README.md.",
            "prices": {"columns": rows.shape[1], "trees": pack_trees(trees, 1, rows.shape[1])},
        }
        args.model.write_text(json.dumps(model, indent=1) + "\n")
        print(f"{args.model}: {args.model.stat().st_size / 1000:.0f} KB")


main()
