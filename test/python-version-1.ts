/** Every method of version 1 that the official Python client has, with and without asyncio. */
export const PYTHON_VERSION_1 = `
import asyncio, json, sys
from firecrawl import AsyncFirecrawl, Firecrawl
url, site = sys.argv[1:3]
client = Firecrawl(api_key="fc-anything", api_url=url).v1
schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
told = {}
def paths(job):
    return sorted(document.metadata["sourceURL"].replace(site, "") for document in job.data)
def ended(job):
    return [job.status, job.completed, job.total, paths(job)]
def is_refused(call):
    try:
        call()
        return False
    except Exception:
        return True

told["scrape"] = client.scrape_url(site + "/x", formats=["markdown"]).markdown
told["map"] = sorted(link.replace(site, "") for link in client.map_url(site + "/").links)
told["crawl"] = ended(client.crawl_url(site + "/", limit=10, poll_interval=1))
told["batch"] = ended(client.batch_scrape_urls([site + "/x", site + "/y"], poll_interval=1))
crawl = client.async_crawl_url(site + "/", limit=10)
while client.check_crawl_status(crawl.id).status == "scraping": pass
told["later"] = ended(client.check_crawl_status(crawl.id))
batch = client.async_batch_scrape_urls([site + "/x"])
while client.check_crawl_status(batch.id).status == "scraping": pass
told["batch later"] = ended(client.check_crawl_status(batch.id))
told["extract"] = client.extract([site + "/x"], schema=schema).data
told["never built"] = [is_refused(lambda: client.deep_research("tea")), is_refused(lambda: client.generate_llms_text(site + "/"))]

async def later():
    client = AsyncFirecrawl(api_key="fc-anything", api_url=url).v1
    told["async scrape"] = (await client.scrape_url(site + "/x", formats=["markdown"])).markdown
    told["async crawl"] = ended(await client.crawl_url(site + "/", limit=10, poll_interval=1))
    told["async map"] = sorted(link.replace(site, "") for link in (await client.map_url(site + "/")).links)
    started = [await client.async_crawl_url(site + "/", limit=10), await client.async_batch_scrape_urls([site + "/x"])]
    told["async started"] = []
    for job in started:
        while (await client.check_crawl_status(job.id)).status == "scraping": pass
        told["async started"].append(ended(await client.check_crawl_status(job.id)))
    told["async extract"] = (await client.extract([site + "/x"], schema=schema)).data
    told["async batch"] = ended(await client.batch_scrape_urls([site + "/x", site + "/y"], poll_interval=1))
asyncio.run(later())
print(json.dumps(told))
`;
