import { useQuery } from '@tanstack/react-query';
import type { components } from 'perdure-client';
import { useMemo } from 'react';
import { actionToolName } from '../../../domain/agent/toolNames.ts';
import { catalogue } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';

type Node = components['schemas']['Node'];

export interface CatalogueNames {
  /** `HTTP` of `http`; the id itself where the catalogue has no such app, or is not for this person. */
  appName: (appId: string) => string;
  /** `HTTP: Request` of `http.request`, an action or a trigger. */
  workName: (appId: string, id: string) => string;
  /** As the steps of a node are called: by its own name, by that of its action, or by its id. */
  nodeName: (node: Node) => string;
  /** `HTTP: Request` of `http_request`, as models call it; of tools that are no actions the name itself. */
  toolName: (tool: string) => string;
}

/** What apps and their actions are called, for pages that know their ids; until it is read, the ids. */
export function useCatalogueNames(): CatalogueNames {
  const may = useMay();
  const { data } = useQuery({ ...catalogue(), enabled: may('workflows:read') });
  return useMemo(() => {
    const apps = new Map<string, string>();
    const work = new Map<string, string>();
    const tools = new Map<string, string>();
    const actionNames = new Map<string, string>();
    for (const { appId, name, actions, triggers } of data ?? []) {
      apps.set(appId, name);
      for (const action of actions) {
        const said = `${name}: ${action.name}`;
        work.set(`${appId}.${action.actionId}`, said);
        actionNames.set(`${appId}.${action.actionId}`, action.name);
        tools.set(actionToolName({ appId, actionId: action.actionId }), said);
      }
      for (const trigger of triggers) work.set(`${appId}.${trigger.triggerId}`, `${name}: ${trigger.name}`);
    }
    return {
      appName: (appId) => apps.get(appId) ?? appId,
      workName: (appId, id) => work.get(`${appId}.${id}`) ?? `${appId}.${id}`,
      nodeName: (node) => {
        const action = node.type === 'action' ? actionNames.get(`${node.appId}.${node.actionId}`) : undefined;
        return node.name ?? action ?? node.id;
      },
      toolName: (tool) => tools.get(tool) ?? tool,
    };
  }, [data]);
}

/** Names of nodes by their ids, for a choice: those that several have stand with the id. */
export function apart(nodes: readonly Node[], nodeName: (node: Node) => string): Map<string, string> {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(nodeName(node), (counts.get(nodeName(node)) ?? 0) + 1);
  return new Map(
    nodes.map((node) => {
      const name = nodeName(node);
      return [node.id, counts.get(name) === 1 ? name : `${name} (${node.id})`];
    }),
  );
}
