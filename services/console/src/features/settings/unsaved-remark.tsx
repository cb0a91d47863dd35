/** Says at a test of stored settings that it does not use what is typed. */
export function UnsavedRemark({ id }: { id: string }) {
  return <p id={id}>Your changes are not saved yet. The test uses the saved settings.</p>;
}
