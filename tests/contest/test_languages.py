"""The languages a contest can choose: the table of the submissions app, known only by its name."""

from contest import languages


def test_what_is_not_installed_is_named_so() -> None:
    here = set(languages.installed())
    assert {"c", "cpp", "python"} <= here
    for slug, label in languages.choices():
        assert ("not installed" in label) == (slug not in here)
        assert bool(languages.table()[slug].toolchain()) == (slug in here)


def test_languages_need_room() -> None:
    assert languages.too_large_for(["c", "cpp", "pascal"], 4) == {}
    assert languages.too_large_for(["c", "python"], 4) == {"Python": 16}
    assert languages.too_large_for(["c", "python"], 16) == {}
