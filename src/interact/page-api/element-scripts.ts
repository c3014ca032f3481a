/** Functions whose `this` is an element. Each is told one argument. */

/** Scrolls it into view, and tells its middle once it can be hit there. Undefined while it cannot. */
export const AIM = `function () {
  if (!this.isConnected) throw new Error("The element is not on the page any more.");
  this.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = [...this.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (!box || getComputedStyle(this).visibility !== "visible") return undefined;
  if (this.matches(":disabled")) return undefined;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  let hit = this.getRootNode().elementFromPoint(x, y);
  const isIt = hit && (hit === this || this.contains(hit) || hit.contains(this) || hit.closest("label")?.control === this);
  return isIt ? { x, y } : undefined;
}`;

/** Puts text in place of what is there. */
export const FILL = `function (text) {
  const isEditable = this.isContentEditable;
  if (!isEditable && !/^(?:INPUT|TEXTAREA)$/.test(this.tagName)) throw new Error("This element cannot be filled.");
  if (this.disabled || this.readOnly) throw new Error("This element cannot be changed.");
  this.scrollIntoView({ block: "center", behavior: "instant" });
  this.focus();
  if (isEditable) this.textContent = text;
  else {
    const kind = this.tagName === "INPUT" ? HTMLInputElement : HTMLTextAreaElement;
    // Libraries put a setter of their own on elements, which would hide the change from them.
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(this, text);
  }
  this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
}`;

/** Chooses options by value or label. */
export const SELECT = `function (wanted) {
  if (this.tagName !== "SELECT") throw new Error("This element is no list to select from.");
  const texts = wanted.map((one) => (typeof one === "string" ? one : one.value ?? one.label));
  const chosen = [...this.options].filter((option) => texts.includes(option.value) || texts.includes(option.label));
  if (chosen.length === 0 && texts.length > 0) throw new Error("There is no such option: " + texts.join(", "));
  for (const option of this.options) option.selected = this.multiple ? chosen.includes(option) : option === chosen[0];
  this.dispatchEvent(new Event("input", { bubbles: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return [...this.selectedOptions].map(({ value }) => value);
}`;

/** Facts of an element, by the name of the method that tells them. */
export const ELEMENT_FACTS = {
  innerText: "function () { return this.innerText ?? this.textContent; }",
  innerHTML: "function () { return this.innerHTML; }",
  textContent: "function () { return this.textContent; }",
  inputValue: "function () { return this.value; }",
  getAttribute: "function (name) { return this.getAttribute(name); }",
  isEnabled: `function () { return !this.matches(":disabled"); }`,
  isChecked: `function () { return this.checked === true || this.getAttribute("aria-checked") === "true"; }`,
  isVisible: `function () {
    const { width, height } = this.getBoundingClientRect();
    return width > 0 && height > 0 && this.checkVisibility({ visibilityProperty: true });
  }`,
  boundingBox: `function () {
    const { x, y, width, height } = this.getBoundingClientRect();
    return { x, y, width, height };
  }`,
  focus: "function () { this.focus(); }",
  scrollIntoViewIfNeeded: `function () { this.scrollIntoView({ block: "center", behavior: "instant" }); }`,
} as const;
