"""Holds `gradus compare` against SciPy on pairs of the ten published systems' answers to Spider dev."""

import json
import os
import pathlib
import subprocess

import numpy
import pytest
import scipy.stats

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("GRADUS_SHARED", PROJECT.parent / "shared"))
SYSTEMS = sorted(path.name for path in (SHARED / "data/predictions/spider_dev").glob("*"))
METRICS = ["bird-ex", "spider-ex"]
# Each system with the next one in the order of their names, and the first with the last.
PAIRS = list(zip(SYSTEMS, SYSTEMS[1:] + SYSTEMS[:1]))
RESAMPLES = 9999


def gradus(*arguments):
    command = ["node", str(PROJECT / "dist/pipelines/cli/main.js"), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A runs folder with one run in which all systems are judged."""
    if not SYSTEMS:
        if os.environ.get("CI") == "true":
            pytest.fail("the shared data folder is absent: set GRADUS_SHARED or place it beside the project")
        pytest.skip("needs the shared data folder")
    folder = tmp_path_factory.mktemp("runs")
    files = [str(SHARED / "data/predictions/spider_dev" / name) for name in SYSTEMS]
    where = ["--dataset", "spider", "--root", str(SHARED / "data/spider"), "--split", "dev"]
    asked = ["--metrics", ",".join(METRICS), "--no-gold-check", "--name", "ten", "--runs", str(folder)]
    gradus("evaluate", "--predictions", *files, *where, *asked, "--json")
    return folder


@pytest.fixture(scope="module")
def scores(runs):
    """System and metric to the score of every question that has one, from the rows of the judging step."""
    found = {}
    (samples,) = (runs / "ten/artifacts/score").glob("*/samples.jsonl")
    for line in samples.read_text().splitlines():
        row = json.loads(line)
        for metric, verdict in row["verdicts"].items():
            if verdict["status"] == "scored":
                found.setdefault((row["model"]["name"], metric), {})[row["exampleId"]] = verdict["score"]
    return found


@pytest.mark.parametrize("before, after", PAIRS)
def test_agrees_with_scipy(runs, scores, before, after):
    report = json.loads(gradus("compare", f"ten:{before}", f"ten:{after}", "--runs", str(runs), "--json"))
    assert [one["metric"] for one in report["comparisons"]] == METRICS
    for comparison in report["comparisons"]:
        left, right = (scores[system, comparison["metric"]] for system in (before, after))
        ids = [example for example in left if example in right]
        differences = numpy.array([right[example] - left[example] for example in ids])
        lost, gained = int((differences < 0).sum()), int((differences > 0).sum())
        ours = comparison["mcnemar"]
        assert comparison["pairs"] == len(ids) == 972
        assert (ours["lost"], ours["gained"]) == (lost, gained)
        assert {flip["exampleId"] for flip in comparison["gained"]} == {
            example for example in ids if right[example] > left[example]
        }
        exact = scipy.stats.binomtest(lost, lost + gained, 0.5).pvalue
        plain = (lost - gained) ** 2 / (lost + gained)
        corrected = max(0, abs(lost - gained) - 1) ** 2 / (lost + gained)
        assert ours["exactP"] == pytest.approx(exact, rel=1e-9)
        assert ours["chiSquare"] == pytest.approx(plain, rel=1e-12)
        assert ours["chiSquareP"] == pytest.approx(scipy.stats.chi2.sf(plain, 1), rel=1e-9)
        assert ours["correctedChiSquare"] == pytest.approx(corrected, rel=1e-12)
        assert ours["correctedChiSquareP"] == pytest.approx(scipy.stats.chi2.sf(corrected, 1), rel=1e-9)
        assert comparison["difference"] == pytest.approx(differences.mean(), abs=1e-12)
        interval = scipy.stats.bootstrap(
            (differences,), numpy.mean, n_resamples=RESAMPLES, method="percentile", random_state=7
        ).confidence_interval
        # Both are drawn: an end of an interval of ten thousand resamples is known to some hundredths of its width.
        slack = 0.06 * (interval.high - interval.low) + 1 / len(ids)
        assert comparison["interval"]["low"] == pytest.approx(interval.low, abs=slack)
        assert comparison["interval"]["high"] == pytest.approx(interval.high, abs=slack)
        assert comparison["isReal"] == bool(exact < 0.05)
