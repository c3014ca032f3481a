"""Every page of a site by Scrapy, as its documentation shows it: links, and the sitemap."""

import sys

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider

START = sys.argv[1]


class Links(CrawlSpider):
    name = "links"
    start_urls = [START]
    rules = [Rule(LinkExtractor(), callback="parse_item", follow=True)]

    def parse_item(self, response):
        print(f"PAGE {response.status} {response.url}", flush=True)


class Sitemap(SitemapSpider):
    name = "sitemap"
    sitemap_urls = [START + "sitemap.xml"]

    def parse(self, response):
        print(f"PAGE {response.status} {response.url}", flush=True)


process = CrawlerProcess({"LOG_ENABLED": False, "ROBOTSTXT_OBEY": True})
process.crawl(Links)
process.crawl(Sitemap)
process.start()
