/** A sentence of the service, in which names stand between backticks. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {text.split("`").map((part, index) =>
        index % 2 === 1 ? (
          <code key={index} class="foreign">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </>
  );
}
