/**
 * Checks of published detectors, in our own words: CreepJS (headless, lies), rebrowser-bot-detector and detect-headless.
 * BotD is used itself. The last element of the page gets the names of the checks that were red, by detector.
 */
export const DETECTOR_PROGRAM = String.raw`
import { load } from "/botd.js";

const looked = () => {
  const { userAgent, platform, languages, hardwareConcurrency } = navigator;
  return { userAgent, platform, languages: [...languages].join(), hardwareConcurrency, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
};
const code = looked.toString();
const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const inWorker = () => new Promise((resolve) => {
  new Worker(blob("postMessage((" + code + ")())")).onmessage = ({ data }) => resolve(data);
});
const inShared = () => new Promise((resolve) => {
  const { port } = new SharedWorker(blob("onconnect = ({ ports: [port] }) => port.postMessage((" + code + ")())"));
  port.onmessage = ({ data }) => resolve(data);
});

const NATIVE = [
  [Navigator.prototype, ["userAgent", "platform", "languages", "plugins", "webdriver", "hardwareConcurrency"]],
  [Screen.prototype, ["width", "height", "availHeight", "colorDepth"]],
  [HTMLCanvasElement.prototype, ["toDataURL", "getContext"]],
  [WebGLRenderingContext.prototype, ["getParameter", "readPixels"]],
  [Date.prototype, ["getTimezoneOffset", "toLocaleString"]],
  [Function.prototype, ["toString", "call", "bind"]],
];

/** Functions that are not what the browser made them, and contexts that contradict the page. */
async function lies() {
  const found = [];
  for (const [prototype, names] of NATIVE) for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    const native = descriptor?.get ?? descriptor?.value;
    const text = Function.prototype.toString.call(native);
    if (!/^function (?:get )?\w+\(\) \{\s+\[native code\]\s+\}$/.test(text)) found.push(name + " is not native");
    if ("prototype" in native) found.push(name + " can be constructed");
    try {
      if (descriptor.get) { descriptor.get.call({}); found.push(name + " works on anything"); }
    } catch (error) {
      if (!(error instanceof TypeError)) found.push(name + " throws " + error.name);
    }
  }
  if (Object.getOwnPropertyNames(navigator).length > 0) found.push("navigator has properties of its own");
  const page = looked();
  const frame = document.body.appendChild(document.createElement("iframe"));
  const { userAgent, platform } = frame.contentWindow.navigator;
  for (const [name, other] of [["frame", { ...page, userAgent, platform }], ["worker", await inWorker()], ["shared worker", await inShared()]])
    for (const key of Object.keys(page)) if (page[key] !== other[key]) found.push(name + " has another " + key);
  return found;
}

async function headless() {
  const agents = [navigator.userAgent, navigator.appVersion, (await inWorker()).userAgent, (await inShared()).userAgent];
  return [
    ...(navigator.webdriver === false ? [] : ["webdriver"]),
    ...(agents.some((agent) => /headless/i.test(agent)) ? ["agent"] : []),
  ];
}

async function automation() {
  let lookups = 0;
  const error = new Error("looked at");
  Object.defineProperty(error, "stack", { get: () => (lookups += 1, "") });
  console.debug(error);
  const proxy = new Proxy({}, { ownKeys: () => (lookups += 1, []) });
  console.groupEnd(Object.create(proxy));
  const size = innerWidth + "x" + innerHeight;
  const { fullVersionList } = await navigator.userAgentData.getHighEntropyValues(["fullVersionList"]);
  return [
    ...(lookups > 0 ? ["console is read"] : []),
    ...(size === "800x600" || size === "1280x720" ? ["usual viewport"] : []),
    ...(fullVersionList.some(({ brand }) => brand === "Google Chrome") ? [] : ["brand"]),
    ...(Object.keys(window).some((key) => /^(?:__pw|__playwright|puppeteer_|cdc_|__driver)/.test(key)) ? ["names of tools"] : []),
    ...(/pptr:|UtilityScript|evaluate@/.test(new Error().stack) ? ["stack"] : []),
  ];
}

async function windowMarks() {
  const startedAt = Date.now();
  alert("Press OK");
  const took = Date.now() - startedAt;
  const { state } = await navigator.permissions.query({ name: "notifications" });
  const image = new Image();
  const broken = new Promise((resolve) => { image.onerror = () => resolve(image.width === 0 && image.height === 0); });
  image.src = "/nothing.png";
  document.body.append(image);
  return [
    ...(took < 30 ? ["alert closes at once"] : []),
    ...(Notification.permission === "denied" && state === "prompt" ? ["notifications"] : []),
    ...(navigator.plugins.length === 0 || !(navigator.plugins[0] instanceof Plugin) ? ["plugins"] : []),
    ...(typeof chrome === "object" ? [] : ["no chrome"]),
    ...(outerWidth === 0 && outerHeight === 0 ? ["no frame"] : []),
    ...(navigator.connection?.rtt === 0 ? ["no connection"] : []),
    ...(navigator.languages.length === 0 ? ["no languages"] : []),
    ...(await broken ? ["broken images"] : []),
  ];
}

const detector = await load();
const { bot } = detector.detect();
const marks = Object.entries(detector.getDetections() ?? {}).filter(([, mark]) => mark.bot).map(([name]) => name);
const found = { botd: bot ? marks : [], headless: await headless(), lies: await lies(), automation: await automation(), window: await windowMarks() };
document.body.append(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
`;
