import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { logIn, loginProblem } from "../client/session.ts";
import { Mark } from "../parts/icon.tsx";

/** Asks for the operator's key; who came by a login link never sees it. */
export function Login() {
  useEffect(() => {
    document.title = "Log in · Pergamon";
  }, []);
  return (
    <main class="login">
      <LoginForm title="Log in" />
    </main>
  );
}

/** The same over a page whose login has ended, which stays as it is. */
export function LoginAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      class="login-again"
      ref={dialog}
      aria-label="Log in again"
      onCancel={(event) => event.preventDefault()}
    >
      <LoginForm title="Your login has ended" />
    </dialog>
  );
}

function LoginForm({ title }: { readonly title: string }) {
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    isBusy.value = true;
    await logIn({ key: field.current?.value ?? "" });
    isBusy.value = false;
  }
  return (
    <form class="panel" onSubmit={(event) => void submit(event)}>
      <span class="brand">
        <Mark />
        Pergamon
      </span>
      <h1>{title}</h1>
      <div>
        <label class="label" for="operator-key">
          Operator key
        </label>
        <input
          class="field mono"
          id="operator-key"
          type="password"
          autocomplete="current-password"
          required
          ref={field}
          aria-invalid={loginProblem.value !== undefined}
          aria-describedby="login-problem login-help"
        />
        <p class="problem" id="login-problem" role="alert">
          {loginProblem.value}
        </p>
      </div>
      <button type="submit" class="btn primary" disabled={isBusy.value}>
        Log in
      </button>
      <p class="help" id="login-help">
        The key of a team opens the page of that team. Or run <code>npx pergamon dashboard</code> on the
        machine of the service. It prints a login link that works once.
      </p>
    </form>
  );
}
