/** A text of the API as a sentence. A name or path that it begins with stays as it is written. */
export function capitalise(text: string): string {
  return /^[a-z]+(?=’|[,:;.!?]?(?: |$))/.test(text)
    ? `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    : text;
}

/** A text that ends like a sentence. */
export function closeSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
