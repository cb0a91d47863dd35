/** The name of whoever did something: the display name of every token begins with the same word, which tells nothing. */
export function actorText(displayName: string): string {
  return displayName.replace(/^token-/, '');
}
