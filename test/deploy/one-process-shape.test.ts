import { expect } from 'chai';
import { renderChart, type Manifest } from '../../deploy/check/chart.ts';
import { readCompose } from '../../deploy/check/compose.ts';
import { listConnectorTypes } from '../../deploy/check/processes.ts';
import { componentOf, podsOf, specOf } from './support/manifests.ts';

describe('the whole service in one process, as it is deployed', () => {
  let manifests: Manifest[];
  before(async () => {
    const rendering = (await renderChart()).find(({ variant }) => variant === 'one-process.yaml');
    manifests = rendering?.manifests ?? [];
  });
  const ofKind = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind);

  it('the chart has one Deployment, which runs the types that are enabled', () => {
    const deployments = ofKind('Deployment');
    expect(deployments.map(componentOf)).to.deep.equal(['api']);
    const [container] = deployments.flatMap((one) => podsOf(one)?.containers ?? []) as { args?: string[] }[];
    const types = listConnectorTypes().filter((type) => type !== 'hosting-project');
    expect(container?.args).to.deep.equal(['serve', 'all', '--one-process', '--types', types.join(',')]);
  });

  it('a pod reaches all that the processes reach that it replaces', () => {
    const [policy, ...others] = ofKind('NetworkPolicy').filter((one) => componentOf(one) === 'api');
    expect(others).to.deep.equal([]);
    type Rule = { to?: { ipBlock?: object }[]; ports: { port: number }[] };
    const { egress } = specOf(policy as Manifest) as { egress: Rule[] };
    const ports = egress
      .filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock !== undefined))
      .flatMap((rule) => rule.ports.map(({ port }) => port));
    expect([...new Set(ports)].toSorted((left, right) => left - right)).to.deep.equal([25, 443, 465, 587]);
  });

  it('a pod reads the credentials files, as the connector does that it replaces', () => {
    const [container] = ofKind('Deployment').flatMap((one) => podsOf(one)?.containers ?? []);
    expect(container?.volumeMounts.map(({ name }) => name)).to.include('credentials');
  });

  it('the override of compose leaves the API alone, with all that the others need', () => {
    const single = readCompose('compose.yaml').services;
    const { services } = readCompose('compose.one.yaml');
    const left = Object.entries(single)
      .filter(
        ([name, { healthcheck }]) => healthcheck?.test.includes('/app/healthy') && !services[name]?.profiles,
      )
      .map(([name]) => name);
    expect(left).to.deep.equal(['api']);
    const { command, networks, environment, volumes } = services['api'] ?? {};
    expect(command).to.deep.equal(['serve', 'all', '--one-process']);
    const others = Object.entries(single).filter(([name]) => services[name]?.profiles);
    for (const [name, other] of others) {
      expect(networks, name).to.include.members(other.networks ?? []);
      expect(volumes, name).to.include.members(other.volumes ?? []);
      expect({ ...single['api']?.environment, ...environment }, name).to.include(other.environment ?? {});
    }
  });
});
