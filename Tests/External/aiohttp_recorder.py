"""A plugin of pytest: writes down what the tests of `aiohttp` feed to its parser of requests, and what became of it."""

import asyncio
import json
import os

import pytest
from aiohttp.http_parser import HttpRequestParserPy

feeds, passed = [], set()
running = None
feed_data = HttpRequestParserPy.feed_data


def record(self, data, *arguments, **options):
    feed = {"test": running, "parser": id(self), "data": bytes(data).hex(), "refused": True, "requests": 0}
    feeds.append(feed)
    result = feed_data(self, data, *arguments, **options)
    feed["refused"], feed["requests"] = False, len(result[0])
    return result


HttpRequestParserPy.feed_data = record


@pytest.fixture
def loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    global running
    running = item.name


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not asyncio.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    pyfuncitem.funcargs["loop"].run_until_complete(pyfuncitem.obj(**arguments))
    return True


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed.add(report.nodeid.split("::")[-1])


def pytest_sessionfinish():
    with open(os.environ["RECORD"], "w") as file:
        json.dump([feed for feed in feeds if feed["test"] in passed], file)
