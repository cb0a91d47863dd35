import { Link } from '@tanstack/react-router';
import { useDestinationName } from '../../api/vendors.ts';

/** A destination by its name, which leads to it. */
export function StoreLink({ type, name }: { type: string; name: string }) {
  const nameOf = useDestinationName();
  return (
    <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
      {nameOf(type, name)}
    </Link>
  );
}
