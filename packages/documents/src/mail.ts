import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectMainContent } from "@pergamon-dev/html/main-content/select";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { isEmpty, selectAll } from "@pergamon-dev/html/selection/selection";
import type OutlookReader from "@kenjiuno/msgreader";
import type { Address, Attachment, Email } from "postal-mime";

import { isOleFile } from "./archives/ole-streams.ts";
import { unreadable } from "./errors.ts";
import { escapeText } from "./model/html-escape.ts";
import type { OfficeDocument } from "./model/reader.ts";

/** A mail of either format. */
interface Mail {
  readonly subject: string;
  /** Names of lines at the head → their texts. */
  readonly head: readonly (readonly [name: string, text: string])[];
  readonly html: string | undefined;
  readonly text: string;
  /** Their names. */
  readonly attachments: readonly string[];
  /** Mails in the mail. */
  readonly inner: readonly Uint8Array[];
}

/** Mails further within are named as attachments. */
const MAX_DEPTH = 10;

/**
 * Reads a mail (RFC 5322, or a message of Outlook): subject, people, date, text, and the names of its attachments.
 * A saved page (MHTML) is read as a page.
 * @throws DocumentError `unreadable-file`.
 */
export async function readMail(body: Uint8Array, depth = 0): Promise<OfficeDocument> {
  if (isOleFile(body)) return documentOf(await readOutlookMessage(body), depth);
  const { default: PostalMime } = await import("postal-mime");
  const mail = await PostalMime.parse(body, { forceRfc822Attachments: true }).catch((failure: Error) => {
    throw failure.message.includes("nesting depth") ? unreadable("its parts are nested too deep") : failure;
  });
  if (mail.headers.length === 0) throw unreadable("it has no head of a mail");
  return savedPage(mail) ?? documentOf(internetMail(mail, depth), depth);
}

/** Browsers write such files as mails from themselves. */
function savedPage(mail: Email): OfficeDocument | undefined {
  const headerOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  const address = headerOf("snapshot-content-location");
  if (mail.html === undefined || (address === undefined && !/saved by/i.test(headerOf("from") ?? "")))
    return undefined;
  const whole = selectAll(parseHtml(mail.html));
  const main = selectMainContent(whole, address ?? "");
  const markdown = toMarkdown(isEmpty(main) ? whole : main, address ?? "");
  return { markdown, html: mail.html, properties: { ...(mail.subject && { title: mail.subject }) } };
}

function internetMail(
  { subject = "", from, to = [], cc = [], date, html, text = "", attachments }: Email,
  depth: number,
): Mail {
  return {
    subject,
    head: [
      ["From", from ? peopleOf([from]) : ""],
      ["To", peopleOf(to)],
      ["Cc", peopleOf(cc)],
      ["Date", date ?? ""],
    ],
    html,
    text,
    attachments: attachments
      .filter((one) => one.filename && !isInner(one) && (one.disposition === "attachment" || !one.contentId))
      .map(({ filename }) => filename ?? ""),
    inner:
      depth < MAX_DEPTH
        ? attachments.filter(isInner).map(({ content }) => Buffer.from(content as ArrayBuffer))
        : [],
  };
}

function isInner({ mimeType }: Attachment): boolean {
  return mimeType === "message/rfc822";
}

function peopleOf(addresses: readonly Address[]): string {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => personOf(name, address))
    .join(", ");
}

function personOf(name = "", address = ""): string {
  return name === "" || name === address ? address : address === "" ? name : `${name} <${address}>`;
}

async function readOutlookMessage(body: Uint8Array): Promise<Mail> {
  const reader: object = (await import("@kenjiuno/msgreader")).default;
  // The package is CommonJS, with a default export of its own, which some loaders unwrap.
  const MsgReader = ("default" in reader ? reader.default : reader) as typeof OutlookReader.default;
  // A copy: the bytes may be a part of a larger buffer, which `slice` of a Buffer keeps.
  const fields = new MsgReader(new Uint8Array(body).buffer).getFileData();
  if (fields.error !== undefined) throw unreadable("it is damaged, or no such file");
  const { recipients = [], attachments = [], html } = fields;
  const peopleBy = (type: string) =>
    recipients
      .filter(({ recipType = "to" }) => recipType === type)
      .map(({ name, smtpAddress, email }) => personOf(name, smtpAddress ?? email))
      .join(", ");
  const date = new Date(fields.clientSubmitTime ?? fields.messageDeliveryTime ?? Number.NaN);
  return {
    subject: fields.subject ?? "",
    head: [
      ["From", personOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail)],
      ["To", peopleBy("to")],
      ["Cc", peopleBy("cc")],
      ["Date", Number.isNaN(date.getTime()) ? "" : date.toISOString()],
    ],
    html: fields.bodyHtml ?? (html && decodeBody(html, undefined)),
    text: fields.body ?? "",
    attachments: attachments.flatMap(({ fileName, name, attachmentHidden }) =>
      attachmentHidden ? [] : (fileName ?? name ?? []),
    ),
    inner: [],
  };
}

async function documentOf(mail: Mail, depth: number): Promise<OfficeDocument> {
  const { subject, html, attachments } = mail;
  const lines = mail.head.filter(([, value]) => value !== "");
  const heading = depth === 0 ? "h1" : "h2";
  const parts = [
    subject === "" ? "" : `<${heading}>${escapeText(subject)}</${heading}>`,
    `<p>${lines.map(([name, value]) => `<strong>${name}:</strong> ${escapeText(value)}`).join("<br>")}</p>`,
    html === undefined ? textHtml(mail.text) : html.replace(/\ssrc\s*=\s*(["']?)cid:[^"'\s>]*\1/gi, ""),
    attachments.length === 0
      ? ""
      : `<p>Attachments:</p><ul>${attachments.map((name) => `<li>${escapeText(name)}</li>`).join("")}</ul>`,
  ];
  const from = lines.find(([name]) => name === "From")?.[1] ?? "";
  const properties = { ...(subject !== "" && { title: subject }), ...(from !== "" && { author: from }) };
  const markdown = parts.map((part) => toMarkdown(selectAll(parseHtml(windowsSigns(part))), ""));
  for (const inner of mail.inner) markdown.push("---", (await readMail(inner, depth + 1)).markdown);
  return { markdown: markdown.filter((part) => part !== "").join("\n\n"), html: undefined, properties };
}

/** Node 20 decodes windows-1252 as Latin-1, which has control characters for its quotes and dashes. */
function windowsSigns(text: string): string {
  return text.replace(/[\u0080-\u009F]+/g, (signs) =>
    decodeBody(Buffer.from(signs, "latin1"), "text/plain; charset=windows-1252"),
  );
}

/** Lines as they are, and lines that quote another mail as quotes. */
function textHtml(text: string): string {
  const paragraphs = text
    .replaceAll("\r\n", "\n")
    .trim()
    .split(/\n{2,}/);
  return paragraphs
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      const isQuote = lines.every((line) => line.startsWith(">"));
      const shown = lines
        .map((line) => escapeText(isQuote ? line.replace(/^(?:>\s?)+/, "") : line))
        .join("<br>");
      return isQuote ? `<blockquote><p>${shown}</p></blockquote>` : `<p>${shown}</p>`;
    })
    .join("");
}
