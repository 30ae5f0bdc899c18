// Trees as tree kernels read them: nodes in groups, of which those in the same group can match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// A node that kernels compare with others one by one. Leaves whose group matches by being equal are not among
// them: each pair of those gives the same constant, so they are counted.
struct PairedNode {
    std::int32_t group;
    std::int32_t similar;       // what says how similar it is to others of its group; −1: equal
    std::int32_t first_child;   // of this tree's children
    std::int32_t children;      // 0 for a leaf
    std::int32_t rank;          // which of its group it is
    std::int32_t first_paired;  // the first child that is paired itself; −1 if none is
};

struct ChildNode {
    std::int32_t group;
    std::int32_t paired;  // −1 for a leaf that is counted
};

// The nodes of a tree that are in one group.
struct NodeGroup {
    std::int32_t group;
    std::int32_t paired;  // how many of them are paired
    double nodes;
    std::int32_t first_member;  // of this tree's members
};

// One prepared tree; children stand before their parents.
struct KernelTree {
    std::span<const PairedNode> nodes;
    std::span<const ChildNode> children;
    std::span<const NodeGroup> groups;
    std::span<const std::int32_t> members;  // numbers of paired nodes, by group
};

// The nodes of many trees one after the other, in any order that puts children into the order of their
// numbers.
struct TreeNodes {
    std::span<const std::int32_t> groups;
    std::span<const std::int32_t> similar;  // −1 where a node matches by being in the group
    std::span<const std::int32_t> parents;  // within the tree; −1 for a root
    std::span<const std::int64_t> sizes;    // of the trees
};

class KernelTrees {
  public:
    explicit KernelTrees(const TreeNodes& nodes);

    std::size_t size() const { return begins_.size() - 1; }
    // Groups are smaller than this.
    std::int32_t group_limit() const { return group_limit_; }
    std::int32_t similar_limit() const { return similar_limit_; }
    KernelTree operator[](std::size_t tree) const;

  private:
    class Builder;
    // Where a tree's part of each list begins.
    struct Begins {
        std::size_t nodes = 0, children = 0, groups = 0, members = 0;
    };

    std::vector<Begins> begins_;
    std::vector<PairedNode> nodes_;
    std::vector<ChildNode> children_;
    std::vector<NodeGroup> groups_;
    std::vector<std::int32_t> members_;
    std::int32_t group_limit_ = 0;
    std::int32_t similar_limit_ = 0;
};

}  // namespace adjudge
