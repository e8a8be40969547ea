"""Clients in Python: python3 clients.py NAME. Each sends GET /pets six times, until one fails."""

import os
import sys
import time
from email.utils import parsedate_to_datetime

import requests
import tenacity
import urllib3
from requests.adapters import HTTPAdapter

URL = os.environ["ANIMAL_STORE_BASE_URL"] + "/pets?limit=5"
HEADERS = {"Authorization": "Bearer " + os.environ["ANIMAL_STORE_API_KEY"]}


def seconds(retry_after):
    """Seconds that a Retry-After asks for, in both forms."""
    if retry_after is None:
        return 0
    if retry_after.isdigit():
        return int(retry_after)
    return max(0, parsedate_to_datetime(retry_after).timestamp() - time.time())


def rest(headers):
    """Waits until X-RateLimit-Reset, if a response leaves no request: CLIENT-7."""
    if headers.get("X-RateLimit-Remaining") == "0":
        time.sleep(max(0, int(headers["X-RateLimit-Reset"]) - time.time()))


class Patient(urllib3.Retry):
    """Waits Retry-After, and 1, 2, 4, … s more."""

    def sleep(self, response=None):
        if response is not None:
            self.sleep_for_retry(response)
        time.sleep(2 ** (len(self.history) - 1))


plain = urllib3.PoolManager()
patient = urllib3.PoolManager(retries=Patient(total=6, status_forcelist=[429]))
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=urllib3.Retry(3, status_forcelist=[429])))


class Limited(Exception):
    def __init__(self, retry_after):
        super().__init__("429")
        self.retry_after = retry_after


def once():
    response = plain.request("GET", URL, headers=HEADERS, retries=False)
    if response.status == 429:
        raise Limited(response.headers.get("Retry-After"))
    return response


growing = tenacity.wait_exponential()


def longer(state):
    """Retry-After, and the growing wait."""
    return seconds(getattr(state.outcome.exception(), "retry_after", None)) + growing(state)


seven = tenacity.stop_after_attempt(7)
sends = {
    "urllib3-default": lambda: plain.request("GET", URL, headers=HEADERS),
    "urllib3-best": lambda: patient.request("GET", URL, headers=HEADERS),
    "requests-three": lambda: session.get(URL, headers=HEADERS),
    "tenacity-exponential": tenacity.retry(wait=growing, stop=seven)(once),
    "tenacity-best": tenacity.retry(wait=longer, stop=seven)(once),
}

name = sys.argv[1]
for _ in range(6):
    response = sends[name]()
    if getattr(response, "status", None) == 429:
        sys.exit(1)
    if name.endswith("-best"):
        rest(response.headers)
