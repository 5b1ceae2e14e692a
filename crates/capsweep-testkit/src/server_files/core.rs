//! Server cores and the layouts that each of them writes.

use crate::continent::LiquidKind;

/// A server core whose files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// cmangos classic.
    Cmangos,
    /// vmangos.
    Vmangos,
    /// The 3.3.5 branch of `TrinityCore`.
    TrinityCore335,
    /// `AzerothCore`.
    AzerothCore,
    /// getMaNGOS (mangoszero).
    GetMangos,
    /// A 2.4.3 core with maps of version v2.1.
    Tbc,
    /// `TrinityCore` master.
    TrinityMaster,
}

impl Core {
    /// All cores.
    pub const ALL: [Self; 7] = [
        Self::Cmangos,
        Self::Vmangos,
        Self::TrinityCore335,
        Self::AzerothCore,
        Self::GetMangos,
        Self::Tbc,
        Self::TrinityMaster,
    ];

    /// Name for commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cmangos => "cmangos",
            Self::Vmangos => "vmangos",
            Self::TrinityCore335 => "trinitycore335",
            Self::AzerothCore => "azerothcore",
            Self::GetMangos => "getmangos",
            Self::Tbc => "tbc",
            Self::TrinityMaster => "trinitymaster",
        }
    }

    /// The layout that the core's tools write.
    pub fn layout(self) -> Layout {
        let trinity = self.is_trinity();
        let magic = match self {
            Self::Cmangos | Self::Vmangos => b"VMAP_7.0",
            Self::TrinityCore335 | Self::AzerothCore => b"VMAP_4.8",
            Self::GetMangos => b"VMAP_4.0",
            Self::Tbc => b"VMAP_5.0",
            Self::TrinityMaster => b"VMAP_4.E",
        };
        let mangos = matches!(self, Self::Cmangos | Self::Vmangos);
        let objects = match self {
            Self::TrinityCore335 | Self::AzerothCore => ObjectList::WithKind,
            Self::TrinityMaster => ObjectList::WithMagic,
            _ => ObjectList::Plain,
        };
        let objects_file = match self {
            Self::Tbc => "GameObjectModelInfo",
            _ if trinity => "GameObjectModels.dtree",
            _ => "temp_gameobject_models",
        };
        Layout {
            magic: *magic,
            models: if self == Self::TrinityMaster {
                ModelForm::Master
            } else {
                ModelForm::Classic
            },
            tree_index_in_global: mangos,
            short_liquid_size: mangos,
            liquid_ids: if trinity { LiquidIds::Trinity } else { LiquidIds::Mangos },
            nul_names: self != Self::TrinityMaster,
            objects,
            objects_file,
            map: self.map_layout(),
        }
    }

    fn is_trinity(self) -> bool {
        matches!(self, Self::TrinityCore335 | Self::AzerothCore | Self::TrinityMaster)
    }

    fn map_layout(self) -> MapLayout {
        let header = match self {
            Self::Cmangos | Self::Vmangos => MapHeader::Short { version: *b"z1.4" },
            Self::TrinityCore335 => MapHeader::Long { version: [10, 0, 0, 0], build: 12_340 },
            Self::AzerothCore => MapHeader::Long { version: [9, 0, 0, 0], build: 12_340 },
            Self::GetMangos => MapHeader::Long { version: *b"z1.5", build: 5_875 },
            Self::Tbc => MapHeader::Long { version: *b"v2.1", build: 8_606 },
            Self::TrinityMaster => MapHeader::Long { version: [10, 0, 0, 0], build: 56_110 },
        };
        let trinity = self.is_trinity();
        let float = matches!(self, Self::Cmangos | Self::Vmangos | Self::GetMangos);
        MapLayout {
            header,
            heights: if float { HeightForm::Float } else { HeightForm::Smallest },
            flight_bounds: trinity,
            holes: match self {
                Self::TrinityMaster => HoleForm::Cells,
                _ if trinity => HoleForm::Blocks,
                _ => HoleForm::AlwaysBlocks,
            },
            liquid: LiquidLayout {
                header: match self {
                    Self::GetMangos | Self::Tbc => LiquidHeader::WordFlags,
                    _ => LiquidHeader::ByteFlags,
                },
                table: match self {
                    Self::Tbc => LiquidTable::FlagsOnly,
                    _ => LiquidTable::EntriesAndFlags,
                },
                omit: true,
                ids: if trinity { LiquidIds::Trinity } else { LiquidIds::Mangos },
            },
        }
    }
}

/// All choices in a set of files. Tests may mix them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Magic of model and placement files.
    pub magic: [u8; 8],
    /// Layout of model and placement files.
    pub models: ModelForm,
    /// Placements of maps without terrain are followed by their tree index.
    pub tree_index_in_global: bool,
    /// The size of a model's liquid is written 4 bytes too small.
    pub short_liquid_size: bool,
    /// Numbers of liquid kinds in models.
    pub liquid_ids: LiquidIds,
    /// Props inside buildings have names with a NUL.
    pub nul_names: bool,
    /// Form of the list of game objects.
    pub objects: ObjectList,
    /// File of that list.
    pub objects_file: &'static str,
    /// Layout of terrain files.
    pub map: MapLayout,
}

/// Layout of model and placement files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelForm {
    /// All cores except `TrinityCore` master.
    Classic,
    /// `TrinityCore` master: short flags, separate tree indices, a folder per map.
    Master,
}

/// Form of the list of game objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectList {
    /// No magic: display id, name, bounds.
    Plain,
    /// Magic; each record also says whether it is a building.
    WithKind,
    /// Magic, then records as in `Plain`.
    WithMagic,
}

/// Layout of a terrain file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapLayout {
    /// Header.
    pub header: MapHeader,
    /// Form of the heights.
    pub heights: HeightForm,
    /// Appends flight bounds to the heights.
    pub flight_bounds: bool,
    /// Form of the holes.
    pub holes: HoleForm,
    /// Form of the liquid.
    pub liquid: LiquidLayout,
}

/// Header of a terrain file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapHeader {
    /// 40 bytes.
    Short {
        /// Version word.
        version: [u8; 4],
    },
    /// 44 bytes, with the number of the client's build.
    Long {
        /// Version word.
        version: [u8; 4],
        /// Build of the client.
        build: u32,
    },
}

/// Form of the heights of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeightForm {
    /// As the extractor chooses: flat, u8, u16 or f32 by the range of heights.
    Smallest,
    /// f32; flat tiles stay flat.
    Float,
    /// u16 for every tile.
    U16,
    /// u8 for every tile.
    U8,
    /// f32 for every tile, also for flat ones.
    AlwaysFloat,
}

/// Form of the holes of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoleForm {
    /// 512 bytes if there are holes.
    Blocks,
    /// 512 bytes in every file.
    AlwaysBlocks,
    /// 2 048 bytes if there are holes.
    Cells,
}

/// Form of the liquid of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiquidLayout {
    /// Header.
    pub header: LiquidHeader,
    /// Table of kinds.
    pub table: LiquidTable,
    /// Leaves out the table, or the heights, where one value says it all.
    pub omit: bool,
    /// Bits of liquid kinds.
    pub ids: LiquidIds,
}

/// Header of a tile's liquid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiquidHeader {
    /// u8 flags, u8 kind bits, u16 entry.
    ByteFlags,
    /// u16 flags, u16 kind bits.
    WordFlags,
}

/// Table of a tile's liquid kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiquidTable {
    /// u16 entries, then u8 flags.
    EntriesAndFlags,
    /// u8 flags.
    FlagsOnly,
}

/// Numbers for kinds of liquid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiquidIds {
    /// cmangos and its relatives.
    Mangos,
    /// `TrinityCore` and its relatives.
    Trinity,
}

impl LiquidIds {
    /// Bit of a kind in terrain files.
    pub fn terrain_bit(self, kind: LiquidKind) -> u8 {
        match (self, kind) {
            (Self::Mangos, LiquidKind::Magma) | (Self::Trinity, LiquidKind::Water) => 1,
            (_, LiquidKind::Ocean) => 2,
            (Self::Mangos, LiquidKind::Slime) | (Self::Trinity, LiquidKind::Magma) => 4,
            (Self::Mangos, LiquidKind::Water) | (Self::Trinity, LiquidKind::Slime) => 8,
        }
    }

    /// Number of a kind in model files.
    pub fn model_type(self, kind: LiquidKind) -> u32 {
        match (self, kind) {
            (Self::Mangos, _) => u32::from(entry(kind)),
            (Self::Trinity, LiquidKind::Water) => 13,
            (Self::Trinity, LiquidKind::Ocean) => 14,
            (Self::Trinity, LiquidKind::Magma) => 19,
            (Self::Trinity, LiquidKind::Slime) => 20,
        }
    }
}

/// Number of a kind in `LiquidType.dbc`, for terrain.
pub(super) fn entry(kind: LiquidKind) -> u16 {
    match kind {
        LiquidKind::Water => 1,
        LiquidKind::Ocean => 2,
        LiquidKind::Magma => 3,
        LiquidKind::Slime => 4,
    }
}
