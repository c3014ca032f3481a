import { openBrowserPool } from "./src/platform/browser/pool.ts";
import { openGuard } from "./src/platform/net/guard.ts";
import { parseEgressRules } from "./src/platform/net/egress-rules.ts";
import { openResolver } from "./src/platform/net/resolver.ts";
import { watchReadiness } from "./src/platform/browser/readiness.ts";
import { readHtml } from "./src/platform/browser/snapshot.ts";
const fixtures:any = await import("/tmp/fx/server.mjs");
const { READINESS_PAGES }:any = await import("/tmp/fx/pages.mjs");
const fx = await fixtures.startFixtures();
const guard=openGuard({rules:parseEgressRules(["127.0.0.1"]),resolver:openResolver({servers:[]})});
const pool=openBrowserPool({guard,find:async()=>({path:"/tmp/chr/chromium",environment:{},sandbox:"auto"}),remoteUrls:[],egressHost:"127.0.0.1",maxTabs:8});
const s=new AbortController().signal;
const only=process.argv[2];
const late:number[]=[]; let early=0;
for(const p of READINESS_PAGES){ if(only&&p.path!==only) continue;
 for(let i=0;i<(only?1:2);i++){
 const t0=performance.now();
 const r=await pool.withTab({skipTlsVerification:true},async tab=>{ const w=watchReadiness(tab); const t1=performance.now(); const n=await tab.navigate(`http://127.0.0.1:${fx.http}${p.path}`,s); const tn=performance.now()-t1; const why=await w.ready(s); const t2=performance.now()-t1;
  const {result}=await tab.session.send("Runtime.evaluate",{expression:"[window.__readyAt, performance.now()]",returnByValue:true}); const h=await readHtml(tab,s); return {why,t2:Math.round(t2),nav:Math.round(tn),readyAt:result.value?.[0],now:result.value?.[1],ok:h.html.includes("END-OF-CONTENT")}},s);
 const l=r.readyAt?r.now-r.readyAt:NaN; if(!r.ok) early++; if(!Number.isNaN(l)) late.push(l);
 console.log(p.path.padEnd(18), r.ok?"ok   ":"EARLY", r.why.padEnd(15), "late", Math.round(l), "total", r.t2, "nav", r.nav, "tab", Math.round(performance.now()-t0-r.t2));
 }}
late.sort((a,b)=>a-b); console.log({early,median:late[late.length>>1],p90:late[Math.floor(late.length*.9)]});
await pool.close(); await fx.close(); process.exit(0);
