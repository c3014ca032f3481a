/**
 * Hosts that only serve advertisements, measure visitors or record what they do. Compiled for this project;
 * the operator's filter lists come on top. Each host includes its subdomains.
 */
export const seedHosts: readonly string[] = `
  2mdn.net 33across.com 360yield.com 3lift.com a-ads.com a-mo.net acuityplatform.com ad-delivery.net ad-score.com
  ad.gt adblade.com adcolony.com addthis.com addtoany.com adform.net adfox.ru adgrx.com adhigh.net adition.com
  adkernel.com adlightning.com adlooxtracking.com admanmedia.com admedo.com admixer.net adnami.io adnxs-simple.com
  adnxs.com adotmob.com adroll.com ads-twitter.com ads.linkedin.com ads.pinterest.com ads.yahoo.com
  adsafeprotected.com adscale.de adservice.google.com adsrvr.org adsymptotic.com adtechus.com adthrive.com
  adventori.com advertising.com adyoulike.com affec.tv agkn.com alexametrics.com amazon-adsystem.com amplitude.com
  analytics.google.com analytics.tiktok.com analytics.twitter.com analytics.yahoo.com aniview.com appnexus.com
  atdmt.com audienceproject.com avct.cloud bat.bing.com bidr.io bidswitch.net bizible.com blismedia.com bluekai.com
  bombora.com bongacams.com bounceexchange.com brealtime.com btloader.com bttrack.com c3tag.com casalemedia.com
  chartbeat.com chartbeat.net clarity.ms clickagy.com clickcease.com clicktale.net cloudflareinsights.com connatix.com
  contextweb.com conversantmedia.com convertexperiments.com cootlogix.com cpx.to cquotient.com crazyegg.com
  creativecdn.com criteo.com criteo.net crwdcntrl.net ct.pinterest.com ctnsnet.com cxense.com deepintent.com
  demandbase.com demdex.net district-m.io districtm.ca dotomi.com doubleclick.net doubleverify.com dpmsrv.com
  dynamicyield.com e-planning.net effectivemeasure.net emxdgt.com ensighten.com eskimi.com everesttech.net
  exelator.com exoclick.com exponential.com eyeota.net fiftyt.com flashtalking.com foresee.com fout.jp fqtag.com
  freewheel.tv fullstory.com fwmrm.net ge01.net gemius.pl getclicky.com getdrip.com google-analytics.com
  googleadservices.com googleoptimize.com googlesyndication.com googletagmanager.com googletagservices.com gumgum.com
  heap.io heapanalytics.com hotjar.com hotjar.io hs-analytics.net hsadspixel.net hscollectedforms.net id5-sync.com
  igodigital.com improvedigital.com imrworldwide.com indexww.com inmobi.com innovid.com insightexpressai.com
  inskinad.com inspectlet.com intentiq.com intergi.com ioam.de ipredictive.com iqzone.com ispot.tv juicyads.com
  jwpltx.com kameleoon.com kargo.com keywee.co kissmetrics.com krxd.net leadfeeder.com liadm.com lijit.com
  linksynergy.com liveintent.com lkqd.net loggly.com loopme.me lotame.com luckyorange.com magnite.com marinsm.com
  mathtag.com matomo.cloud maxymiser.net mc.yandex.ru media.net mediamath.com mediavine.com mediawallahscript.com
  mgid.com mixpanel.com ml314.com mmstat.com moatads.com moatpixel.com mookie1.com mopinion.com mouseflow.com
  mparticle.com mxptint.net narrativ.com nativo.com netmng.com newrelic.com nexac.com nr-data.net ntv.io nuggad.net
  omtrdc.net onesignal.com onetag-sys.com onthe.io openx.net optimizely.com optmnstr.com outbrain.com outbrainimg.com
  owneriq.net parsely.com perfectaudience.com permutive.app permutive.com pingdom.net pippio.com pixel.facebook.com
  pixel.quantserve.com pixel.wp.com plausible.io playground.xyz popads.net popcash.net popin.cc postrelease.com
  privy.com propeller-tracking.com propellerads.com pubmatic.com pubmine.com pushcrew.com pushwoosh.com
  px.ads.linkedin.com qualtrics.com quantcount.com quantserve.com realsrv.com resetdigital.co reson8.com
  revcontent.com rfihub.com rhythmone.com richrelevance.com rlcdn.com ru4.com rubiconproject.com sc-static.net
  scorecardresearch.com seedtag.com segment.com segment.io serving-sys.com sessioncam.com sharethis.com
  sharethrough.com simpli.fi siteimproveanalytics.com sitescout.com skimresources.com smaato.net smartadserver.com
  smartclip.net smartlook.com snap.licdn.com snapads.com snowplowanalytics.com sonobi.com sovrn.com spotx.tv
  spotxchange.com springserve.com stackadapt.com statcounter.com static.ads-twitter.com stats.wp.com
  steelhousemedia.com stickyadstv.com supersonicads.com survicate.com taboola.com tapad.com tapjoy.com teads.tv
  tealiumiq.com technoratimedia.com telaria.com tns-counter.ru top.mail.ru tr.snapchat.com trackjs.com
  tradedoubler.com trafficjunky.net tremorhub.com tribalfusion.com triplelift.com truoptik.com turn.com undertone.com
  unrulymedia.com usabilla.com userreport.com vdopia.com vidazoo.com visualwebsiteoptimizer.com vungle.com weborama.fr
  webtrends.com webtrendslive.com widespace.com xandr.com yandexadexchange.net yieldlab.net yieldlove.com yieldmo.com
  yieldoptimizer.com zedo.com zemanta.com zeotap.com zergnet.com`
  .trim()
  .split(/\s+/);
