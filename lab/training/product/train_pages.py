"""Trains the trees that tell pages that sell one product from others, and prints cross-validation by site.

Reads signs.json as dump-pages.ts writes it; with --model FILE adds trees of all pages to that file.
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


def train(rows, labels, weight, args):
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
        "seed": 1,
        "base_score": 0.5,
    }
    return xgb.train(parameters, xgb.DMatrix(rows, label=labels, weight=weight), args.rounds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--eta", type=float, default=0.04)
    parser.add_argument("--child", type=float, default=2)
    parser.add_argument("--colsample", type=float, default=0.15)
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    pages = json.loads((args.folder / "signs.json").read_text())
    rows = np.array([page["signs"] for page in pages], dtype=np.float32)
    labels = np.array([page["isProduct"] for page in pages], dtype=np.float32)
    fold = np.array([page["fold"] for page in pages])
    known = np.array([page["isLabelled"] for page in pages])
    # Pages of which only the type is known were not looked at: they weigh less.
    weight = np.where(known, 3, 1)
    trained = np.array([page["isTrained"] for page in pages])
    scores = np.zeros(len(labels))
    for part in range(FOLDS):
        others = trained & (fold != part)
        learned = train(rows[others], labels[others], weight[others], args)
        scores[fold == part] = learned.predict(xgb.DMatrix(rows[fold == part]))
    for cut in [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]:
        found = (scores[known & (labels == 1)] >= cut).mean()
        invented = (scores[known & (labels == 0)] >= cut).sum()
        others = (scores[~known & (labels == 0)] >= cut).sum()
        print(f"cut {cut}: products found {found:.3f}, invented {invented} of {(known & (labels == 0)).sum()}, of pages known by type {others} of {(~known & (labels == 0)).sum()}")
    if args.misses:
        for at in np.argsort(-np.abs(scores - labels))[:60]:
            if (scores[at] >= 0.5) != labels[at]:
                print(pages[at]["id"], pages[at]["url"][:100], "product" if labels[at] else "none", f"{scores[at]:.2f}", "" if known[at] else "by type")
    (args.folder / "page-scores.json").write_text(
        json.dumps({page["id"]: round(float(score), 4) for page, score in zip(pages, scores)})
    )
    if args.model:
        model = json.loads(args.model.read_text())
        learned = train(rows[trained], labels[trained], weight[trained], args)
        trees = [json.loads(tree) for tree in learned.get_dump(dump_format="json")]
        model["pages"] = {"columns": rows.shape[1], "trees": pack_trees(trees, 1, rows.shape[1])}
        args.model.write_text(json.dumps(model, indent=1) + "\n")
        print(f"{args.model}: {args.model.stat().st_size / 1000:.0f} KB")


main()
