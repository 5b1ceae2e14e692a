//! The nodes of a file as placements of models.

use super::accessor::Accessors;
use super::buffers::Buffers;
use super::mesh::{Reader, Totals};
use super::transform::Transform;
use crate::axes::Axes;
use crate::error::{Fault, Reason, malformed, within};
use crate::{LoadOptions, Model, Placement, World};
use capsweep::scene::Pose;
use gltf::json::mesh::Mesh;
use gltf::json::scene::Node;
use gltf::json::{Index, Root};
use std::collections::HashMap;
use std::ops::Range;

/// A world in the making.
pub(super) struct Builder<'a> {
    root: &'a Root,
    reader: Reader<'a>,
    /// For each mesh that was placed, its models.
    known: HashMap<usize, Range<usize>>,
    totals: Totals,
    models: Vec<Model>,
    placements: Vec<Placement>,
}

/// What the nodes above a node do to it.
#[derive(Clone, Copy)]
struct Above {
    transform: Transform,
    /// The first of them that leaves fewer than three dimensions.
    flattens: Option<Index<Node>>,
}

/// A node by its number and its name.
fn place_of(root: &Root, index: Index<Node>) -> String {
    let number = index.value();
    match root.get(index).and_then(|node| node.name.as_deref()) {
        Some(name) => format!("nodes[{number}] {name:?}"),
        None => format!("nodes[{number}]"),
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        root: &'a Root,
        buffers: &'a Buffers<'a>,
        options: &'a LoadOptions,
    ) -> Result<Self, Fault> {
        let accessors = Accessors { root, buffers };
        let reader = Reader { accessors, axes: Axes::of(options)?, limits: &options.limits };
        Ok(Self {
            root,
            reader,
            known: HashMap::new(),
            totals: Totals::default(),
            models: Vec::new(),
            placements: Vec::new(),
        })
    }

    /// Walks all nodes, each once, parents before children.
    pub(super) fn build(mut self) -> Result<World, Fault> {
        let mut seen = vec![false; self.root.nodes.len()];
        let top = Above { transform: Transform::IDENTITY, flattens: None };
        let mut ahead: Vec<(Index<Node>, Above)> = Vec::new();
        let push = |ahead: &mut Vec<_>, nodes: &[Index<Node>], above: Above| {
            ahead.extend(nodes.iter().rev().map(|&node| (node, above)));
        };
        push(&mut ahead, &self.roots()?, top);
        while let Some((index, above)) = ahead.pop() {
            let place = || place_of(self.root, index);
            let Some(node) = self.root.get(index) else {
                return Err(malformed("there is no such node").at(place));
            };
            // Nodes are a forest. A file in which they are not could go round for ever, or double with every level.
            if std::mem::replace(&mut seen[index.value()], true) {
                return Err(malformed("is reached by two ways").at(place));
            }
            let own = Transform::of(node).map_err(|fault| fault.at(place))?;
            let here = Above {
                transform: above.transform.after(&own),
                flattens: above.flattens.or_else(|| (own.rank() < 3).then_some(index)),
            };
            if let Some(mesh) = node.mesh {
                let placed = self.place(mesh, index, &here);
                placed.map_err(|fault| fault.at(|| place_of(self.root, index)))?;
            }
            push(&mut ahead, node.children.as_deref().unwrap_or_default(), here);
        }
        let names = self.root.materials.iter().map(|material| material.name.clone());
        let tags = std::iter::once(String::new()).chain(names.map(Option::unwrap_or_default));
        Ok(World::new(self.models, self.placements, tags.collect()))
    }

    /// The nodes of the default scene, or of the first, or those that are nobody's children.
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

    /// Puts the models of `mesh` where its node stands.
    fn place(&mut self, mesh: Index<Mesh>, index: Index<Node>, here: &Above) -> Result<(), Fault> {
        let models = self.models_of(mesh)?;
        if models.is_empty() {
            return Ok(());
        }
        self.check_rank(index, here)?;
        let axes = self.reader.axes;
        let transform = Transform {
            linear: axes.linear(here.transform.linear),
            translation: axes.place(here.transform.translation),
        };
        let pose = transform.pose()?;
        for model in models {
            let (model, pose) = match pose {
                Some(pose) => (model, pose),
                None => self.sheared(model, &transform)?,
            };
            let name = self.root.get(index).and_then(|node| node.name.clone());
            let name = name.unwrap_or_else(|| self.models[model].name.clone());
            self.placements.push(Placement { name, model, pose });
            within("placements", self.placements.len() as u64, self.reader.limits.placements)?;
        }
        Ok(())
    }

    /// Refuses a mesh that is flattened, and names the node that flattens it.
    fn check_rank(&self, index: Index<Node>, here: &Above) -> Result<(), Fault> {
        let rank = here.transform.rank();
        if rank == 3 {
            return Ok(());
        }
        let culprit = here.flattens.unwrap_or(index);
        let is_own = culprit.value() == index.value();
        if is_own && self.root.get(index).is_some_and(|node| node.matrix.is_none()) {
            // A scale of 0: the error of its pose names the axis.
            return Ok(());
        }
        let onto = match rank {
            2 => "into a plane",
            1 => "onto a line",
            _ => "to a point",
        };
        let what = if is_own {
            "its mesh".to_owned()
        } else {
            format!("the mesh of {}", self.named(index))
        };
        let fault = malformed(format!(
            "flattens {what} {onto} (its transform has rank {rank}, not 3): \
             remove the node, or give it a thickness"
        ));
        Err(fault.at(|| self.named(culprit)))
    }

    fn named(&self, index: Index<Node>) -> String {
        place_of(self.root, index)
    }

    /// The models of a mesh, read when it is placed for the first time.
    fn models_of(&mut self, index: Index<Mesh>) -> Result<Range<usize>, Fault> {
        if let Some(models) = self.known.get(&index.value()) {
            return Ok(models.clone());
        }
        let place = || format!("meshes[{}]", index.value());
        let mesh = self.root.get(index);
        let mesh = mesh.ok_or_else(|| malformed("there is no such mesh").at(place))?;
        let first = self.models.len();
        let models = self.reader.models(mesh, &mut self.totals).map_err(|fault| {
            // A place in the mesh is completed; one elsewhere says enough.
            match fault.place {
                Some(inner) if inner.starts_with("primitives") => {
                    Fault { place: Some(format!("{}.{inner}", place())), ..fault }
                }
                _ => fault,
            }
        })?;
        self.models.extend(models);
        let models = first..self.models.len();
        self.known.insert(index.value(), models.clone());
        Ok(models)
    }

    /// A copy of a model with the linear part of `transform` in its vertices, and the pose that moves it into place.
    fn sheared(&mut self, model: usize, transform: &Transform) -> Result<(usize, Pose), Fault> {
        let Model { vertices, triangles, .. } = &self.models[model];
        let (vertex_count, triangle_count) = (vertices.len() as u64, triangles.len() as u64);
        self.totals.add(vertex_count, triangle_count, self.reader.limits)?;
        let mut copy = self.models[model].clone();
        for vertex in &mut copy.vertices {
            *vertex = (transform.linear * vertex.as_dvec3()).as_vec3();
        }
        if transform.linear.determinant() < 0.0 {
            // Mirrored: the other way round, outside stays outside.
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
