//! Turns the nodes of a file into placements of models.

use super::accessor::Accessors;
use super::buffers::Buffers;
use super::mesh::{MeshReader, Totals};
use super::transform::Transform;
use crate::axes::Axes;
use crate::error::{Fault, Reason, malformed, within};
use crate::{LoadOptions, Model, Placement, World};
use capsweep::scene::Pose;
use gltf::json::mesh::Mesh;
use gltf::json::scene::Node;
use gltf::json::{Index, Root};
use std::collections::HashMap;

/// Collects the models and placements of a world.
pub(super) struct WorldBuilder<'a> {
    root: &'a Root,
    reader: MeshReader<'a>,
    /// The model of each mesh that has been placed; `None` for one without triangles.
    model_of_mesh: HashMap<usize, Option<usize>>,
    totals: Totals,
    models: Vec<Model>,
    placements: Vec<Placement>,
}

/// The transform of a node and of all its ancestors, to the world.
#[derive(Clone, Copy)]
struct WorldTransform {
    transform: Transform,
    /// The topmost node whose own transform has a rank below 3.
    flattened_by: Option<Index<Node>>,
}

/// The location of a node for errors: its index and its name.
fn location_of(root: &Root, index: Index<Node>) -> String {
    let number = index.value();
    match root.get(index).and_then(|node| node.name.as_deref()) {
        Some(name) => format!("nodes[{number}] {name:?}"),
        None => format!("nodes[{number}]"),
    }
}

impl<'a> WorldBuilder<'a> {
    pub(super) fn new(
        root: &'a Root,
        buffers: &'a Buffers<'a>,
        options: &'a LoadOptions,
    ) -> Result<Self, Fault> {
        let accessors = Accessors { root, buffers };
        let reader =
            MeshReader { accessors, axes: Axes::from_options(options)?, limits: &options.limits };
        Ok(Self {
            root,
            reader,
            model_of_mesh: HashMap::new(),
            totals: Totals::default(),
            models: Vec::new(),
            placements: Vec::new(),
        })
    }

    /// Visits all nodes once, parents before children.
    pub(super) fn build(mut self) -> Result<World, Fault> {
        let mut seen = vec![false; self.root.nodes.len()];
        let top = WorldTransform { transform: Transform::IDENTITY, flattened_by: None };
        let mut stack: Vec<(Index<Node>, WorldTransform)> = Vec::new();
        let push = |stack: &mut Vec<_>, nodes: &[Index<Node>], parent: WorldTransform| {
            stack.extend(nodes.iter().rev().map(|&node| (node, parent)));
        };
        push(&mut stack, &self.roots()?, top);
        while let Some((index, parent)) = stack.pop() {
            let location = || location_of(self.root, index);
            let Some(node) = self.root.get(index) else {
                return Err(malformed("there is no such node").at(location));
            };
            // The format demands a forest. Cycles would never end, and shared children could
            // double the placements with every level.
            if std::mem::replace(&mut seen[index.value()], true) {
                return Err(malformed("is reached by two ways").at(location));
            }
            let own = Transform::from_node(node).map_err(|fault| fault.at(location))?;
            let world = WorldTransform {
                transform: parent.transform.after(&own),
                flattened_by: parent.flattened_by.or_else(|| (own.rank() < 3).then_some(index)),
            };
            if let Some(mesh) = node.mesh {
                let placed = self.place(mesh, index, &world);
                placed.map_err(|fault| fault.at(|| location_of(self.root, index)))?;
            }
            push(&mut stack, node.children.as_deref().unwrap_or_default(), world);
        }
        let names = self.root.materials.iter().map(|material| material.name.clone());
        let tags = std::iter::once(String::new()).chain(names.map(Option::unwrap_or_default));
        Ok(World::new(self.models, self.placements, tags.collect()))
    }

    /// The root nodes: of the default scene, or of the first scene, or all without a parent.
    fn roots(&self) -> Result<Vec<Index<Node>>, Fault> {
        let Root { scene, scenes, nodes, .. } = self.root;
        if let Some(index) = scene.or((!scenes.is_empty()).then(|| Index::new(0))) {
            let scene = self.root.get(index).ok_or_else(|| {
                malformed("there is no such scene").at(|| format!("scenes[{}]", index.value()))
            })?;
            return Ok(scene.nodes.clone());
        }
        let mut is_child = vec![false; nodes.len()];
        for child in nodes.iter().flat_map(|node| node.children.iter().flatten()) {
            if let Some(is_child) = is_child.get_mut(child.value()) {
                *is_child = true;
            }
        }
        let roots = is_child.iter().zip(0..).filter(|(is_child, _)| !**is_child);
        Ok(roots.map(|(_, node)| Index::new(node)).collect())
    }

    /// Places the model of `mesh` with the transform of node `index`.
    fn place(
        &mut self,
        mesh: Index<Mesh>,
        index: Index<Node>,
        world: &WorldTransform,
    ) -> Result<(), Fault> {
        let Some(model) = self.model_of(mesh)? else { return Ok(()) };
        self.check_rank(index, world)?;
        let axes = self.reader.axes;
        let transform = Transform {
            linear: axes.linear_to_world(world.transform.linear),
            translation: axes.to_world(world.transform.translation),
        };
        let (model, pose) = match transform.pose()? {
            Some(pose) => (model, pose),
            None => self.sheared(model, &transform)?,
        };
        let name = self.root.get(index).and_then(|node| node.name.clone());
        let name = name.unwrap_or_else(|| self.models[model].name.clone());
        self.placements.push(Placement { name, model, pose });
        within("placements", self.placements.len() as u64, self.reader.limits.placements)
    }

    /// Refuses a flattened mesh and names the node that flattens it.
    fn check_rank(&self, index: Index<Node>, world: &WorldTransform) -> Result<(), Fault> {
        let rank = world.transform.rank();
        if rank == 3 {
            return Ok(());
        }
        let culprit = world.flattened_by.unwrap_or(index);
        let is_own = culprit.value() == index.value();
        if is_own && self.root.get(index).is_some_and(|node| node.matrix.is_none()) {
            // A scale of 0. The error of the pose names the axis, so it is left to that check.
            return Ok(());
        }
        let onto = match rank {
            2 => "into a plane",
            1 => "onto a line",
            _ => "to a point",
        };
        let mesh = if is_own {
            "its mesh".to_owned()
        } else {
            format!("the mesh of {}", location_of(self.root, index))
        };
        let fault = malformed(format!(
            "flattens {mesh} {onto} (its transform has rank {rank}, not 3): \
             remove the node, or give it a thickness"
        ));
        Err(fault.at(|| location_of(self.root, culprit)))
    }

    /// The model of a mesh, if the mesh has triangles. It is read when the mesh is placed for the
    /// first time.
    fn model_of(&mut self, index: Index<Mesh>) -> Result<Option<usize>, Fault> {
        if let Some(model) = self.model_of_mesh.get(&index.value()) {
            return Ok(*model);
        }
        let location = || format!("meshes[{}]", index.value());
        let mesh = self.root.get(index);
        let mesh = mesh.ok_or_else(|| malformed("there is no such mesh").at(location))?;
        let model = self.reader.model(mesh, &mut self.totals).map_err(|fault| {
            // A location inside the mesh gets the mesh in front; others are complete.
            match fault.location {
                Some(inner) if inner.starts_with("primitives") => {
                    Fault { location: Some(format!("{}.{inner}", location())), ..fault }
                }
                _ => fault,
            }
        })?;
        let number = model.is_some().then_some(self.models.len());
        self.models.extend(model);
        self.model_of_mesh.insert(index.value(), number);
        Ok(number)
    }

    /// Adds a copy of a model with the linear part of `transform` in its vertices. Returns its
    /// index and the pose with the translation.
    fn sheared(&mut self, model: usize, transform: &Transform) -> Result<(usize, Pose), Fault> {
        let Model { vertices, triangles, .. } = &self.models[model];
        let (vertex_count, triangle_count) = (vertices.len() as u64, triangles.len() as u64);
        self.totals.add(vertex_count, triangle_count, self.reader.limits)?;
        let mut copy = self.models[model].clone();
        for vertex in &mut copy.vertices {
            *vertex = (transform.linear * vertex.as_dvec3()).as_vec3();
        }
        if transform.linear.determinant() < 0.0 {
            // A mirrored triangle has its front on the other side: swap two corners.
            copy.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        if let Some(error) = copy.bad_vertex_from(0) {
            return Err(Reason::Mesh(error).into());
        }
        let pose = Pose::from_translation(transform.translation).map_err(Reason::Pose)?;
        self.models.push(copy);
        Ok((self.models.len() - 1, pose))
    }
}
