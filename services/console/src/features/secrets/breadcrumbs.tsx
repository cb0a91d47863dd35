import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';

/** The way to a secret or a folder: all mounts, the mount, and each folder. */
export function Breadcrumbs({ mount, path }: { mount: string; path: string }) {
  const parts = path.split('/').filter(Boolean);
  const above = [
    { label: mount, to: `${mount}/` },
    ...parts.map((label, index) => ({ label, to: `${mount}/${parts.slice(0, index + 1).join('/')}/` })),
  ].slice(0, -1);
  return (
    <nav aria-label="Breadcrumb">
      <ol className={kit.row}>
        <li>
          <Link to="/secrets/$" params={{ _splat: '' }} className={kit.touch}>
            Secrets
          </Link>
        </li>
        {above.map(({ label, to }) => (
          <li key={to} className={kit.row}>
            <span aria-hidden>›</span>
            <Link to="/secrets/$" params={{ _splat: to }} className={kit.touch}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
