"""Writes the lists of the Faker package (MIT) that names and places are drawn from, as JSON."""

import importlib
import json
import sys

LOCALES = {
    "en": ["en_US", "en_GB", "en_IE", "en_IN", "en_NZ"],
    "de": ["de_DE", "de_AT", "de_CH"],
    "fr": ["fr_FR", "fr_CH", "fr_BE"],
    "es": ["es_ES", "es_MX", "es_CO", "es_AR"],
    "it": ["it_IT"],
    "nl": ["nl_NL", "nl_BE"],
    "pl": ["pl_PL"],
    "pt": ["pt_BR", "pt_PT"],
    "other": ["sv_SE", "da_DK", "no_NO", "fi_FI", "cs_CZ", "hu_HU", "hr_HR", "tr_TR", "ro_RO", "sl_SI", "id_ID"],
}


def provider(kind, locale):
    try:
        return importlib.import_module(f"faker.providers.{kind}.{locale}").Provider
    except ModuleNotFoundError:
        return None


def values(source, *names):
    found = []
    for name in names:
        for value in getattr(source, name, None) or ():
            found.append(value[0] if isinstance(value, tuple) else value)
    return sorted({value for value in found if isinstance(value, str)})


def lists_of(locales):
    lists = {"first": set(), "last": set(), "towns": set(), "words": set()}
    for locale in locales:
        person, address = provider("person", locale), provider("address", locale)
        lorem = provider("lorem", locale)
        lists["first"].update(values(person, "first_names", "first_names_male", "first_names_female"))
        lists["last"].update(values(person, "last_names", "last_names_male", "last_names_female", "unique_last_names"))
        lists["towns"].update(values(address, "cities", "city_names", "cities_name", "municipalities", "states", "provinces", "regions", "departments", "cantons"))
        lists["words"].update(values(lorem, "word_list"))
    return {name: sorted(found) for name, found in lists.items()}


json.dump({language: lists_of(locales) for language, locales in LOCALES.items()}, sys.stdout, ensure_ascii=False)
