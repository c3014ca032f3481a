import { outboundProxy } from "../../net/outbound.ts";

/** A message to one or more recipients, who do not see each other. */
export interface MailMessage {
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** URL that unsubscribes with one click (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Stays the same for the same message, so that servers and mail clients recognise repetitions. */
  readonly id: string;
}

export interface Mail {
  /** @throws Error when the server accepted it for no recipient. */
  send(message: MailMessage, signal: AbortSignal): Promise<void>;
}

interface MailOptions {
  /** `smtp://` or `smtps://`, with user and password where the server requires them. */
  readonly url: string;
  /** `Name <address>`, or an address. */
  readonly from: string;
}

/** Limit for the connection, and for each answer of the server. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

/** Sends mail by SMTP. The client is loaded with the first message. */
export function openMail({ url, from }: MailOptions): Mail {
  return {
    async send({ recipients, subject, text, id, unsubscribeUrl }, signal) {
      signal.throwIfAborted();
      const { createTransport } = await import("nodemailer");
      const proxy = outboundProxy(new URL(url).hostname);
      const transport = createTransport({
        url,
        ...(proxy !== undefined && { proxy }),
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: ANSWER_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const end = () => transport.close();
      signal.addEventListener("abort", end);
      const sent = {
        from,
        to: from,
        // Only the envelope names the recipients.
        envelope: { from, to: [...recipients] },
        subject: subject.replaceAll(/\s+/g, " "),
        text,
        messageId: `<${id}@pergamon>`,
        ...(unsubscribeUrl !== undefined && {
          headers: {
            "List-Unsubscribe": `<${unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          },
        }),
      };
      const problem = await transport
        .sendMail(sent)
        .then(() => undefined, mailProblem)
        .finally(() => transport.close());
      signal.removeEventListener("abort", end);
      signal.throwIfAborted();
      if (problem !== undefined) throw new Error(problem);
    },
  };
}

/** Server messages may quote addresses, and errors may quote the password. */
function mailProblem(cause: unknown): string {
  const { code, responseCode } = cause as { readonly code?: string; readonly responseCode?: number };
  const parts = [code, responseCode].filter((part) => part !== undefined);
  return `The mail server did not take the message${parts.length > 0 ? ` (${parts.join(", ")})` : ""}.`;
}
