"""Judges (path, gold, pred) lines as BIRD's official script does, for so many CPU seconds: prints pairs a CPU-second."""
import json, sqlite3, sys, threading, time
def execute(pair, said):
    connection = sqlite3.connect(pair["path"])
    try:
        cursor = connection.cursor()
        predicted, gold = (cursor.execute(pair[side]).fetchall() for side in ("pred", "gold"))
        said.append(set(predicted) == set(gold))
    except Exception: pass
    connection.close()
def judge(pair):
    said = []
    thread = threading.Thread(target=execute, args=(pair, said), daemon=True)
    thread.start(); thread.join(30)
    return said == [True]
pairs, limit, repeats = [json.loads(line) for line in open(sys.argv[1])], float(sys.argv[2]), 0
right, start = sum(map(judge, pairs)), time.process_time()
while repeats == 0 or time.process_time() - start < limit: repeats, right = repeats + 1, sum(map(judge, pairs))
print(json.dumps({"right": right, "rate": repeats * len(pairs) / (time.process_time() - start)}))
