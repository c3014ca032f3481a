/** How deep notices hang at most. */
const MAX_DEPTH = 5;
const MAX_PARTS = 200;
const MAX_NAME_LENGTH = 80;

interface Queue {
  autoconsentSendMessage(message: unknown): Promise<void>;
  nextMessages(limitMs: number): Promise<readonly unknown[]>;
  autoconsentReceiveMessage(message: unknown): Promise<void>;
}

/** @param ownNames source of a regular expression, without case: names that sites give their own notices. */
export function seesNotice(roots: readonly string[], ownNames: string): boolean {
  return findNotices(roots, ownNames).length > 0;
}

/** Takes what is left of notices off the page, and lets it scroll again. */
export function removeNotices(roots: readonly string[], ownNames: string): void {
  for (const notice of findNotices(roots, ownNames)) {
    (notice as HTMLElement).style.setProperty("display", "none", "important");
  }
  for (const element of [document.documentElement, document.body]) {
    if (getComputedStyle(element).overflowY === "hidden")
      element.style.setProperty("overflow", "visible", "important");
  }
}

/** Opens the queue in which messages of the consent script wait until they are fetched. */
export function openMessageQueue(): void {
  const messages: unknown[] = [];
  let wake: (() => void) | undefined;
  Object.assign(globalThis, {
    async autoconsentSendMessage(message: unknown) {
      messages.push(message);
      wake?.();
    },
    async nextMessages(limitMs: number) {
      if (messages.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, limitMs);
        });
      }
      return messages.splice(0);
    },
  });
}

export function nextMessages(limitMs: number): Promise<readonly unknown[]> {
  return queue().nextMessages(limitMs);
}

export function reply(message: unknown): void {
  void queue().autoconsentReceiveMessage(message);
}

function queue(): Queue {
  return globalThis as unknown as Queue;
}

/** The roots of notices that can be seen, high up in the page. */
function findNotices(roots: readonly string[], ownNames: string): readonly Element[] {
  const known = new Set(roots);
  const own = new RegExp(ownNames, "i");
  const isNamed = (name: string) => known.has(name) || (name.length < MAX_NAME_LENGTH && own.test(name));
  const notices: Element[] = [];
  const search = (element: Element, depth: number) => {
    for (const child of element.children) {
      if (/^(?:MAIN|ARTICLE|SCRIPT)$/.test(child.tagName)) continue;
      const isNotice = isNamed(child.id) || [...child.classList].some(isNamed);
      if (isNotice && !holdsContent(child)) {
        if (partsOf(child).some(isSeen)) notices.push(child);
      } else if (depth < MAX_DEPTH) search(child, depth + 1);
    }
  };
  if (document.body) search(document.body, 0);
  return notices;
}

function holdsContent(element: Element): boolean {
  return element.querySelector("main, article, h1") !== null;
}

function partsOf(element: Element): readonly Element[] {
  const shadow = element.shadowRoot?.querySelectorAll("*") ?? [];
  return [element, ...element.querySelectorAll("*"), ...shadow].slice(0, MAX_PARTS);
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  const { visibility, opacity } = getComputedStyle(element);
  return width > 0 && height > 0 && visibility === "visible" && Number(opacity) > 0;
}
