"""Start a scheduler on this node and workers as SLURM jobs, as many as there is work for. Stop it with Ctrl-C.

Needs ``pip install dask-jobqueue``. Then, in another terminal: ``python -m autograder grade ch02 --scheduler ADDRESS``.
"""

import time

from dask_jobqueue import SLURMCluster

if __name__ == "__main__":
    with SLURMCluster() as cluster:
        cluster.adapt(minimum_jobs=1, maximum_jobs=20)
        print(cluster.scheduler_address, flush=True)
        while True:
            time.sleep(60)
