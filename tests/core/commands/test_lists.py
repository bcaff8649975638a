"""`devices` and `data list`: what is here, and why something is not."""

import json


def test_devices_are_listed_with_reasons(program):
    outcome = program("devices", "--json")
    devices = {device["name"]: device for device in map(json.loads, outcome.out.splitlines())}
    assert devices.keys() >= {"sequential", "vectorized"}
    assert devices["sequential"]["available"]
    assert devices["vectorized"]["available"]
    assert all(device["available"] or device["reason"] for device in devices.values())
    lines = program("devices").out.splitlines()
    assert [line.split()[0] for line in lines] == list(devices)


def test_data_sets_are_listed_with_places(program, monkeypatch, tmp_path):
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path))
    outcome = program("data", "list", "--json")
    sources = {source["name"]: source for source in map(json.loads, outcome.out.splitlines())}
    assert {"builtin", "mnist", "fashion"} <= sources.keys()
    assert sources["builtin"]["available"]
    assert not sources["mnist"]["available"]
    assert "data fetch mnist" in sources["mnist"]["where"]
    assert [line.split()[0] for line in program("data", "list").out.splitlines()] == list(sources)
