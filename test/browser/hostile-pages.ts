/** Pages that mean harm, by what their script does. `root` is an empty element of the page. */
export const hostilePages: Readonly<Record<string, string>> = {
  "loops for ever": "for (;;);",
  "loops for ever after a while": "root.textContent = 'WORDS'; setTimeout(() => { for (;;); }, 100)",
  "never ends its promises": "(function again() { Promise.resolve().then(again); })()",
  "backtracks in a pattern": "/^(a+)+$/.test('a'.repeat(60) + '!')",
  "waits for an answer without end":
    "const x = new XMLHttpRequest(); x.open('GET', '/hang', false); x.send()",
  recurses: "(function deeper() { deeper(); })()",

  "asks without end": "for (;;) alert('again')",
  "asks when it is left":
    "addEventListener('beforeunload', (event) => { event.preventDefault(); alert('stay'); }); setInterval(() => { location.href = '/elsewhere'; }, 50)",
  "prints without end": "for (;;) print()",
  "wants permissions":
    "Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {}); navigator.mediaDevices?.getUserMedia({ audio: true, video: true }); navigator.clipboard?.read(); navigator.requestMIDIAccess?.({ sysex: true }); navigator.storage?.persist()",
  "fills the screen":
    "setInterval(() => { document.documentElement.requestFullscreen().catch(() => {}); document.body.requestPointerLock(); }, 10)",
  "asks for a password":
    "document.body.append(Object.assign(document.createElement('iframe'), { src: '/login' })); fetch('/login')",

  "opens popups": "for (let n = 0; n < 10000; n += 1) window.open('/popup-' + n)",
  "closes itself": "window.close(); open(location, '_self').close()",
  "starts workers":
    "for (let n = 0; n < 200; n += 1) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))",
  "starts shared workers":
    "for (let n = 0; n < 50; n += 1) new SharedWorker(URL.createObjectURL(new Blob(['for (;;);'])))",
  "hides behind a service worker":
    "navigator.serviceWorker?.register('/worker.js').then(() => location.reload())",
  "frames itself":
    "for (let n = 0; n < 3; n += 1) document.body.append(Object.assign(document.createElement('iframe'), { src: location.href + '?' + Math.random() }))",
  "frames frames in itself":
    "(function frame(parent) { for (let n = 0; n < 4; n += 1) { const inner = parent.createElement('iframe'); parent.body.append(inner); setTimeout(() => frame(inner.contentDocument), 0); } })(document)",

  "grows for ever":
    "setInterval(() => { for (let n = 0; n < 2000; n += 1) document.body.append(document.createElement('p')); }, 0)",
  "writes itself for ever": "for (;;) document.write('<p>more</p>')",
  "writes itself anew": "setInterval(() => { document.open(); document.write('<p>' + Math.random()); }, 0)",
  "hoards memory":
    "const hoard = []; setInterval(() => { for (let n = 0; n < 8; n += 1) hoard.push(new Uint8Array(32 << 20).fill(n)); }, 0)",
  "hoards WebAssembly memory":
    "const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); setInterval(() => { const pages = memory.grow(2048); new Uint8Array(memory.buffer).fill(7, pages * 65536); }, 0)",
  "draws on huge canvases":
    "setInterval(() => { const canvas = Object.assign(document.createElement('canvas'), { width: 16000, height: 16000 }); document.body.append(canvas); canvas.getContext('2d', { willReadFrequently: true }).fillRect(0, 0, 16000, 16000); }, 50)",
  "is longer than anything": "root.textContent = 'x'.repeat(400 * 1024 * 1024)",
  "has a title without end": "document.title = 'x'.repeat(50 * 1024 * 1024); root.textContent = 'WORDS'",

  "floods the console":
    "setInterval(() => { for (let n = 0; n < 5000; n += 1) console.log('x'.repeat(1000)); }, 0)",
  "rewrites its history":
    "setInterval(() => { for (let n = 0; n < 1000; n += 1) history.pushState({}, '', '?' + Math.random()); }, 0)",
  "floods its address": "setInterval(() => { for (let n = 0; n < 1000; n += 1) location.hash = n; }, 0)",
  "floods the network":
    "setInterval(() => { for (let n = 0; n < 500; n += 1) fetch('/nothing?' + Math.random()).catch(() => {}); }, 0)",
  "floods with data addresses":
    "const data = 'data:text/plain,' + 'x'.repeat(4 << 20); setInterval(() => { for (let n = 0; n < 8; n += 1) fetch(data + n).catch(() => {}); }, 0)",
  "streams without end": "new EventSource('/flood')",
  "fills its storage":
    "setInterval(() => { try { localStorage['k' + Math.random()] = 'x'.repeat(100000); document.cookie = 'c' + Math.random() + '=1'; } catch {} }, 0)",

  "reloads for ever": "setTimeout(() => location.replace('?' + Math.random()), 20)",
  "refreshes for ever":
    "document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0' }))",
  "downloads for ever": "setInterval(() => { location.href = '/file'; }, 10)",
  "downloads what it makes":
    "setInterval(() => Object.assign(document.createElement('a'), { download: 'x', href: URL.createObjectURL(new Blob(['x'.repeat(1e6)])) }).click(), 10)",
  "goes to a blob of its own":
    "location.href = URL.createObjectURL(new Blob(['<h1>Blob</h1>'], { type: 'text/html' }))",
  "goes to data": "location.href = 'data:text/html,<h1>Data</h1>'",
  "wants the browser to crash":
    "for (const place of ['crash', 'kill', 'hang', 'gpucrash', 'inducebrowsercrashforrealz']) { location.href = 'chrome://' + place; open('chrome://' + place, '_self'); }",
};
