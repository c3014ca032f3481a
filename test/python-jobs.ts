/** Everything that the official Python client does with maps, crawls and batches. Prints what it was told, as JSON. */
export const PYTHON_JOBS = `
import asyncio, json, sys, threading
from firecrawl import AsyncFirecrawl, Firecrawl
url, site, hanging = sys.argv[1:4]
client = Firecrawl(api_key="fc-anything", api_url=url)
told = {}
def paths(job):
    return sorted(document.metadata.url.replace(site, "") for document in job.data)
def ended(job):
    return [job.status, job.completed, job.total, job.credits_used, paths(job)]

told["map"] = sorted(link.url.replace(site, "") for link in client.map(site + "/").links)
told["crawl"] = ended(client.crawl(site + "/", limit=10, poll_interval=1))
told["batch"] = ended(client.batch_scrape([site + "/a", site + "/b"], poll_interval=1))

started = client.start_crawl(hanging)
told["active"] = [crawl.id == started.id for crawl in client.active_crawls().crawls]
told["under way"] = client.get_crawl_status(started.id).status
told["cancelled"] = [client.cancel_crawl(started.id), client.get_crawl_status(started.id).status]
whole = client.crawl(site + "/", limit=10, poll_interval=1)
told["too late"] = client.cancel_crawl(whole.id)
def rest_of(kind, id, read):
    page = read(f"{url}/v2/{kind}/{id}?limit=2&skip=1")
    return [len(page.data), page.next]
told["page"] = rest_of("crawl", whole.id, client.get_crawl_status_page)
errors = client.get_crawl_errors(started.id)
told["errors"] = [len(errors.errors), errors.robots_blocked]
batch = client.start_batch_scrape([site + "/a", "http://"], ignore_invalid_urls=True)
told["invalid"] = batch.invalid_urls
told["appended"] = client.start_batch_scrape([site + "/b"], append_to_id=batch.id).id == batch.id
stuck = client.start_batch_scrape([hanging])
while client.get_batch_scrape_status(batch.id).status == "scraping": pass
told["batch page"] = rest_of("batch/scrape", batch.id, client.get_batch_scrape_status_page)
told["stopped"] = [client.cancel_batch_scrape(stuck.id), client.get_batch_scrape_status(stuck.id).status]
told["batch errors"] = len(client.get_batch_scrape_errors(stuck.id).errors)

told["search"] = [page.url.replace(site, "") for page in client.search("Page /a", limit=1).web]
told["parse"] = client.parse(b"<main><h1>Harbour</h1><p>Three piers.</p></main>", filename="harbour.html").markdown
told["parse formats"] = any(".pdf" in entry.extensions for entry in client.get_parse_formats())

def watch(job_id, kind):
    seen, done = [], threading.Event()
    watcher = client.watcher(job_id, kind=kind, poll_interval=1, timeout=60)
    watcher.add_event_listener("document", lambda detail: seen.append(detail["data"]["metadata"]["url"].replace(site, "")))
    watcher.add_event_listener("done", lambda detail: done.set())
    watcher.start()
    done.wait(60)
    return [watcher.status, sorted(seen)]
told["watched crawl"] = watch(client.start_crawl(site + "/").id, "crawl")
told["watched batch"] = watch(client.start_batch_scrape([site + "/a", site + "/b"]).id, "batch")

async def later():
    client = AsyncFirecrawl(api_key="fc-anything", api_url=url)
    told["async map"] = sorted(link.url.replace(site, "") for link in (await client.map(site + "/")).links)
    told["async crawl"] = ended(await client.crawl(url=site + "/", limit=10, poll_interval=1))
    told["async batch"] = ended(await client.batch_scrape([site + "/a", site + "/b"], poll_interval=1))
    started = await client.start_crawl(url=site + "/")
    async for snapshot in client.watcher(started.id, kind="crawl", poll_interval=1, timeout=60):
        last = snapshot
    told["async watched"] = ended(last)
asyncio.run(later())
print(json.dumps(told))
`;

/** Every method of monitors, with and without asyncio. */
export const PYTHON_MONITORS = `
import asyncio, json, sys, time
from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v2.types import PaginationConfig
url, urls = sys.argv[1], sys.argv[2:]
client = Firecrawl(api_key="fc-anything", api_url=url)
wanted = dict(name="Prices", schedule={"text": "daily at 9:00", "timezone": "Europe/Berlin"},
    targets=[{"type": "scrape", "urls": urls}], retention_days=7)
told = {}
made = client.create_monitor(**wanted)
told["made"] = made.status
told["listed"] = [one.id for one in client.list_monitors(limit=5)] == [made.id]
started = client.run_monitor(made.id)
told["trigger"] = started.trigger
while client.get_monitor_check(made.id, started.id).status in ("queued", "running"): time.sleep(0.1)
check = client.get_monitor_check(made.id, started.id)
told["check"] = check.status
told["pages"] = len(check.pages)
told["first"] = len(client.get_monitor_check(made.id, started.id, pagination_config=PaginationConfig(auto_paginate=False)).pages)
told["new"] = len(client.get_monitor_check(made.id, started.id, status="new", limit=10).pages)
told["same"] = len(client.get_monitor_check(made.id, started.id, status="same").pages)
told["checks"] = len(client.list_monitor_checks(made.id))
edited = client.update_monitor(made.id, status="paused", goal="Cheap anvils")
told["edited"] = [edited.status, edited.goal]
told["read"] = client.get_monitor(made.id).name
told["deleted"] = client.delete_monitor(made.id)
try:
    client.get_monitor(made.id)
except Exception as failure:
    told["gone"] = failure.status_code
async def again():
    other = AsyncFirecrawl(api_key="fc-anything", api_url=url)
    made = await other.create_monitor(**wanted)
    await other.update_monitor(made.id, name="Others")
    started = await other.run_monitor(made.id)
    checks = await other.list_monitor_checks(made.id)
    check = await other.get_monitor_check(made.id, started.id)
    name = (await other.get_monitor(made.id)).name
    listed = [one.id for one in await other.list_monitors()]
    return [check.id, name, listed, await other.delete_monitor(made.id)] == [checks[0].id, "Others", [made.id], True]
told["async"] = asyncio.run(again())
print(json.dumps(told))
`;

/** Asks which options of a crawl a prompt stands for. */
export const PYTHON_PREVIEW = `
import json, sys
from firecrawl import Firecrawl
client = Firecrawl(api_key="fc-anything", api_url=sys.argv[1])
preview = client.crawl_params_preview(sys.argv[2], "The blog, at most 20 pages")
print(json.dumps([preview.include_paths, preview.limit]))
`;

/** Asks for chunks, asks stored pages again, and watches a value. What the client has no method for, its own connection sends. */
export const PYTHON_STORED = `
import json, sys, time
from firecrawl.v2.client import FirecrawlClient
from firecrawl.v2.types import ScrapeOptions
url, site = sys.argv[1:3]
client = FirecrawlClient(api_key="fc-anything", api_url=url)
http = client.http_client
told = {}
schema = {"type": "object", "properties": {"price": {"type": "string", "x-selector": ".price"}}}
chunks = {"type": "chunks", "maxTokens": 64}
crawl = client.crawl(site + "/", scrape_options=ScrapeOptions(formats=["markdown", chunks]), poll_interval=1)
told["chunks"] = [[one["headings"], one["span"][0]] for one in http.get(f"/v2/crawl/{crawl.id}/chunks").json()["data"]]
def whole(read, id):
    while read(id).status in ("scraping", "processing"): time.sleep(0.1)
    return read(id)
source = {"crawlId": crawl.id}
order = {"source": source, "formats": [{"type": "json", "schema": schema, "citeSources": True}]}
batch = whole(client.get_batch_scrape_status, http.post("/v2/batch/scrape", order).json()["id"])
told["batch"] = [batch.completed, batch.credits_used, sorted(one.json["price"] for one in batch.data)]
extract = whole(client.get_extract_status, http.post("/v2/extract", {"source": source, "schema": schema}).json()["id"])
told["extract"] = [extract.status, extract.data["price"]]
found = http.post("/v2/search", {"query": "euros", "source": source}).json()["data"]["web"]
told["search"] = sorted(one["url"].replace(site, "") for one in found)
target = {"type": "scrape", "urls": [site + "/next"], "kind": "value", "schema": schema, "ignore": {"selectors": [".ad"]}}
watched = client.create_monitor(name="Price", schedule={"text": "weekly"}, targets=[target])
def check():
    started = client.run_monitor(watched.id)
    while client.get_monitor_check(watched.id, started.id).status in ("queued", "running"): time.sleep(0.1)
    [page] = client.get_monitor_check(watched.id, started.id).pages
    return [page.status, page.diff and page.diff.json["price"]]
told["monitor"] = [check(), check()]
try:
    client.search("x" * 501)
except Exception as failure:
    told["wrong"] = str(failure)
print(json.dumps(told))
`;
