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
errors = client.get_crawl_errors(started.id)
told["errors"] = [len(errors.errors), errors.robots_blocked]
batch = client.start_batch_scrape([site + "/a", "http://"], ignore_invalid_urls=True)
told["invalid"] = batch.invalid_urls
told["appended"] = client.start_batch_scrape([site + "/b"], append_to_id=batch.id).id == batch.id
stuck = client.start_batch_scrape([hanging])
told["stopped"] = [client.cancel_batch_scrape(stuck.id), client.get_batch_scrape_status(stuck.id).status]
told["batch errors"] = len(client.get_batch_scrape_errors(stuck.id).errors)

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
