"""Addresses of the lending API."""

from django.urls import path

from loans import api, members_api, pieces_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("members/", members_api.Members.as_view(), name="members"),
    path("members/<int:pk>/", members_api.OneMember.as_view(), name="member"),
    path("members/<int:pk>/memberships/", members_api.Sales.as_view(), name="memberships"),
    path("members/<int:pk>/blocks/", members_api.Blocks.as_view(), name="blocks"),
    path("blocks/<int:pk>/lift/", members_api.Lift.as_view(), name="block-lift"),
    path("policies/", members_api.Policies.as_view(), name="policies"),
    path("policies/<int:pk>/", members_api.OnePolicy.as_view(), name="policy"),
    path("policies/decided/", members_api.Decisions.as_view(), name="policies-decided"),
    path("box-contents/", pieces_api.BoxContents.as_view(), name="box-contents"),
    path("counts/", pieces_api.Counts.as_view(), name="counts"),
    path("copy-moves/", pieces_api.CopyMoves.as_view(), name="copy-moves"),
    path("missing-pieces/", pieces_api.MissingPieces.as_view(), name="missing-pieces"),
    path("missing-pieces/<int:pk>/decision/", pieces_api.PieceDecisions.as_view(), name="piece-decision"),
    path("missing-pieces/<int:pk>/found/", pieces_api.Finds.as_view(), name="piece-found"),
    path("missing-pieces/<int:pk>/give-up/", pieces_api.GiveUps.as_view(), name="piece-give-up"),
]
